import { spawn } from 'node:child_process'
import { systemClock } from '../../kit/clock.js'
import { aborted } from '../../kit/deadline.js'
import { renderLivePage } from '../../report/html/live-page.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { toolVersion } from '../../run/package.js'
import type { Progress } from '../../run/playing/run-log.js'
import { untilInterrupted } from '../output/interruption.js'
import { createToldRun } from './live-run.js'
import { type LiveServer, openLiveServer } from './live-server.js'

/** Where the program runs, as far as it tells whether a browser can be opened. */
export interface Desk {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
}

/** The command that opens a page in the user's browser; undefined where nobody sits here, or there is no screen. */
export const browserCommand = ({ platform, environment, isTerminal }: Desk): readonly string[] | undefined => {
  if (!isTerminal || environment.CI) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  // Without a screen, xdg-open would put a text browser on the terminal.
  const hasScreen = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens a page in the user's browser, where that can be; says whether it was tried. Never throws. */
const openBrowser = (url: string, desk: Desk): boolean => {
  const [command, ...before] = browserCommand(desk) ?? []
  if (command === undefined) return false
  const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true })
  // Who has no such command opens the address by hand.
  child.once('error', () => {})
  child.unref()
  return true
}

/** For so long the report waits for a browser that is to show it, in milliseconds. */
const patienceMs = 10_000

/** A run that is shown in a browser, for the command that plays it. Nothing of it makes a run fail. */
export interface ShownRun {
  /** Opens the page, says where it is, and shows it where a browser can be opened. */
  begin(prepared: PreparedRun, requests: number): Promise<void>
  readonly watch: (event: Progress) => void
  /** Puts the report in the place of the page. */
  show(report: Report): void
  /** Resolves once open pages have the report, or soon after; Ctrl-C ends the wait. */
  end(): Promise<void>
}

const here = (): Desk => ({
  platform: process.platform,
  environment: process.env,
  isTerminal: process.stderr.isTTY === true,
})

/** Who asks for the page needs its address, also where nothing else is said. */
const say = (text: string) => process.stderr.write(`${text}\n`)

/** How often pages are told what has changed. */
const tellEveryMs = 500

/** Shows a run in a browser: how far it is, as its events tell it, then its report. */
export const createShownRun = (): ShownRun => {
  let run: ReturnType<typeof createToldRun> | undefined
  let server: LiveServer | undefined
  let telling: NodeJS.Timeout | undefined
  let isOpened = false
  let shown: Promise<void> | undefined
  /** Nothing is told any more: the report takes the place of the page, or pages are told that there is none. */
  const conclude = async (report?: string): Promise<void> => {
    clearInterval(telling)
    if (report === undefined) await server?.giveUp()
    // Where nobody ever looked, the browser that was opened is waited for.
    else await server?.replace(report, server.wasWatched() ? server.watchers() : Number(isOpened))
  }
  return {
    async begin({ head, plan }, requests) {
      const { scenario, baseUrl: target, contract } = head
      const subject = { scenario, target, contract: contract?.name ?? null, version: toolVersion }
      const told = createToldRun({ requests, durationMs: plan.durationMs }, systemClock)
      const page = () => renderLivePage(subject, told.parts())
      const opened = await openLiveServer({ page, parts: told.parts }).catch((error: unknown) => {
        say(`the run can't be shown in a browser: ${error instanceof Error ? error.message : error}`)
      })
      if (!opened) return
      ;[run, server] = [told, opened]
      telling = setInterval(() => {
        if (told.hasNews() && opened.watchers() > 0) opened.send(told.parts())
      }, tellEveryMs)
      say(`watch it at ${opened.url}`)
      isOpened = openBrowser(opened.url, here())
    },
    watch: (event) => run?.add(event),
    show(report) {
      shown = conclude(renderHtml(report))
    },
    async end() {
      const { signal, release } = untilInterrupted()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([shown ?? conclude(), aborted(signal), late])
      clearTimeout(timer)
      release()
      await server?.close()
    },
  }
}
