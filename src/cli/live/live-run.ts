import { type Clock, systemClock } from '../../kit/clock.js'
import { type LiveSubject, renderLivePage } from '../../report/live/live-page.js'
import type { JudgedParts, LiveParts } from '../../report/live/live-view.js'
import { nothingJudged } from '../../report/live/so-far-parts.js'
import type { Progress } from '../../run/playing/run-log.js'
import type { Foreseen } from '../output/progress-lines.js'
import { createJudging } from './judge-between-loads.js'
import { judgeApart } from './judging-process.js'
import { type LiveServer, openLiveServer } from './live-server.js'
import { createToldRun } from './told-run.js'

/** How often pages are told what has changed. */
const tellEveryMs = 500

/** What is shown of a run, and how. */
export interface LiveSetup {
  readonly subject: LiveSubject
  readonly foreseen: Foreseen
  /** The run's folder, which is judged as it grows. */
  readonly folder: string
  readonly clock?: Clock
}

/** A run that is shown in browsers while it goes on. */
export interface LiveRun extends Pick<LiveServer, 'url'> {
  watch(event: Progress): void
  /**
   * Nothing is told any more: the report takes the place of the page, or pages are told that there is none. Resolves once
   * every open page has it.
   *
   * @param least how many times it has to be loaded where nobody ever looked.
   */
  end(report: string | undefined, least: number): Promise<void>
  close(): Promise<void>
}

const after = (ms: number, call: () => void) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

/** Opens a page that shows a run as its events tell it, with verdicts between its loads. */
export const openLiveRun = async ({ subject, foreseen, folder, clock = systemClock }: LiveSetup): Promise<LiveRun> => {
  const run = createToldRun(foreseen, clock)
  let judged: JudgedParts = nothingJudged
  const parts = (): LiveParts => ({ ...run.parts(), ...judged })
  const server = await openLiveServer({ page: () => renderLivePage(subject, parts()), parts })
  const show = (result: JudgedParts) => {
    judged = result
    server.send(judged)
  }
  const judging = createJudging({ begin: () => judgeApart(folder), show, nowMs: () => clock.monotonicMs(), after })
  const look = () => judging.look(run.moment(server.watchers() > 0))
  const timer = setInterval(() => {
    void look()
    if (run.hasNews() && server.watchers() > 0) server.send(run.parts())
  }, tellEveryMs)
  return {
    url: server.url,
    watch(event) {
      run.add(event)
      if (event.kind !== 'sent') void look()
    },
    async end(report, least) {
      clearInterval(timer)
      judging.end()
      if (report === undefined) await server.giveUp()
      else await server.replace(report, server.wasWatched() ? server.watchers() : least)
    },
    close: () => server.close(),
  }
}
