import { spawn } from 'node:child_process'
import { aborted } from '../../kit/signals.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { toolVersion } from '../../run/package.js'
import type { Progress } from '../../run/playing/run-log.js'
import { untilInterrupted } from '../output/interruption.js'
import { type LiveRun, openLiveRun } from './live-run.js'

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

/** Shows a run in a browser. */
export const createShownRun = (): ShownRun => {
  let live: LiveRun | undefined
  let isOpened = false
  let shown: Promise<void> | undefined
  const end = (report?: string) => live?.end(report, isOpened ? 1 : 0)
  return {
    async begin({ head, plan }, requests) {
      const { scenario, baseUrl: target, contract } = head
      const subject = { scenario, target, contract: contract?.name ?? null, version: toolVersion }
      try {
        live = await openLiveRun(subject, { requests, durationMs: plan.durationMs })
      } catch (error) {
        say(`the run can't be shown in a browser: ${error instanceof Error ? error.message : error}`)
        return
      }
      say(`watch it at ${live.url}`)
      isOpened = openBrowser(live.url, here())
    },
    watch: (event) => live?.watch(event),
    show(report) {
      shown = end(renderHtml(report))
    },
    async end() {
      const { signal, release } = untilInterrupted()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([shown ?? end(), aborted(signal), late])
      clearTimeout(timer)
      release()
      await live?.close()
    },
  }
}
