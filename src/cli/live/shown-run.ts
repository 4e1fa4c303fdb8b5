import { aborted } from '../../kit/signals.js'
import { renderHtml } from '../../report/formats/html/page/page.js'
import type { Report } from '../../report/model.js'
import { toolVersion } from '../../run/machine/package-root.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import type { Progress } from '../../run/playing/run-log.js'
import { untilInterrupted } from '../process/interruption.js'
import { type LiveRun, openLiveRun } from './live-run.js'
import { type Desk, openBrowser } from './open-browser.js'

/** For so long the report waits for a browser that is to show it, in milliseconds. */
const patienceMs = 10_000

/** A run that is shown in a browser, for the command that plays it. Nothing of it makes a run fail. */
export interface ShownRun {
  /** Opens the page, says where it is, and shows it where a browser can be opened. */
  begin(prepared: PreparedRun, requests: number, out: string): Promise<void>
  readonly watch: (event: Progress) => void
  /** Puts the report in the place of the page. */
  show(report: Report): void
  /** Resolves once open pages have the report, or soon after; Ctrl-C ends the wait. */
  end(): Promise<void>
}

/** Shows a run in a browser. `say` is for what the user has to know. */
export const createShownRun = (say: (text: string) => unknown, desk: Desk): ShownRun => {
  let live: LiveRun | undefined
  let isOpened = false
  let shown: Promise<void> | undefined
  const end = (report?: string) => live?.end(report, isOpened ? 1 : 0)
  return {
    async begin({ head, plan }, requests, out) {
      const { scenario, baseUrl: target, contract } = head
      const subject = { scenario, target, contract: contract?.name ?? null, version: toolVersion }
      try {
        live = await openLiveRun({ subject, foreseen: { requests, durationMs: plan.durationMs }, folder: out })
      } catch (error) {
        say(`the run can't be shown in a browser: ${error instanceof Error ? error.message : error}`)
        return
      }
      say(`watch it at ${live.url}`)
      isOpened = openBrowser(live.url, desk)
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
