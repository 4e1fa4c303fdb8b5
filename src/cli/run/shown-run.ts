import { spawn } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import { targetOf } from '../../assembly/build-report.js'
import { systemClock } from '../../kit/clock.js'
import { aborted } from '../../kit/deadline.js'
import { whyOf } from '../../kit/usage-error.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import { subjectOf } from '../../report/quotas.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { toolVersion } from '../../run/package.js'
import type { Progress } from '../../run/playing/progress.js'
import { untilInterrupted } from '../output/interruption.js'
import { createShownProgress, renderLivePage } from './live-page.js'
import { openLiveServer } from './live-server.js'

/**
 * The command that opens a page in the user's browser; undefined where nobody sits here, or there is no screen.
 *
 * @param isTerminal whether somebody reads what the program says.
 */
export const browserCommand = (
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
): readonly string[] | undefined => {
  if (!isTerminal || environment.CI) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  // Without a screen, xdg-open would put a text browser on the terminal.
  const hasScreen = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens a page in the user's browser, where that can be; says whether it was tried. Never throws. */
const openBrowser = (url: string): boolean => {
  const [command, ...before] = browserCommand(process.platform, process.env, process.stderr.isTTY === true) ?? []
  if (command === undefined) return false
  const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true })
  // Who has no such command opens the address by hand.
  child.once('error', () => {})
  child.unref()
  return true
}

/** For so long the report waits for a browser that is to show it, in milliseconds. */
const patienceMs = 10_000

/** Who asks for the page needs its address, also where nothing else is said. */
const say = (text: string) => process.stderr.write(`${text}\n`)

/** Shows a run in a browser: how far it is, as its events tell it, then its report. Nothing of it makes a run fail. */
export const createShownRun = () => {
  let run: ReturnType<typeof createShownProgress> | undefined
  let server: Awaited<ReturnType<typeof openLiveServer>> | undefined
  let isOpened = false
  let shown: Promise<void> | undefined
  return {
    /** Opens the page, says where it is, and shows it where a browser can be opened. */
    async begin({ head, plan }: PreparedRun, requests: number): Promise<void> {
      const { scenario, baseUrl: target } = head
      const { contract } = subjectOf({ target: targetOf(head) })
      const subject = { scenario, target, contract, version: toolVersion }
      const told = createShownProgress({ requests, durationMs: plan.durationMs }, systemClock)
      const page = () => renderLivePage(subject, told.parts())
      server = await openLiveServer({ page, parts: told.parts }).catch((error: unknown) => {
        say(`the run can't be shown in a browser: ${whyOf(error)}`)
        return undefined
      })
      if (!server) return
      run = told
      say(`watch it at ${server.url}`)
      isOpened = openBrowser(server.url)
    },
    watch: (event: Progress) => run?.add(event),
    show(report: Report): void {
      shown = server?.replace(renderHtml(report), isOpened)
    },
    /** Resolves once open pages have the report, or soon after; Ctrl-C ends the wait. */
    async end(): Promise<void> {
      const { signal, release } = untilInterrupted()
      await Promise.race([shown ?? server?.giveUp(), aborted(signal), after(patienceMs, undefined, { ref: false })])
      release()
      await server?.close()
    },
  }
}
