import { type Clock, systemClock } from '../../kit/clock.js'
import { findProbe } from '../../probes/all.js'
import { type LiveSubject, renderLivePage } from '../../report/live/live-page.js'
import type { JudgedParts, LiveParts } from '../../report/live/live-view.js'
import { progressParts } from '../../report/live/progress-parts.js'
import { nothingJudged } from '../../report/live/so-far-parts.js'
import type { Progress } from '../../runner/run-log.js'
import { isPlayedTogether } from '../../runner/session/probe-contexts.js'
import type { Foreseen } from '../output/progress-lines.js'
import { createJudging } from './judge-between-loads.js'
import { judgeApart } from './judging-process.js'
import { type LiveServer, openLiveServer } from './live-server.js'
import { afterEvent, freshLiveState, viewOf } from './live-state.js'
import { type LoadKind, quietMs } from './quiet-time.js'

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

const loadOf = (id: string): LoadKind => {
  const probe = findProbe(id)
  if (!probe?.isLoad) return 'none'
  return isPlayedTogether(probe) ? 'at-any-time' : 'between-waits'
}

/** Opens a page that shows a run as its events tell it, with verdicts between its loads. */
export const openLiveRun = async ({ subject, foreseen, folder, clock = systemClock }: LiveSetup): Promise<LiveRun> => {
  let state = freshLiveState
  let judged: JudgedParts = nothingJudged
  let isNews = false
  // The run's zero on both clocks: known from the first event on.
  let zero: { readonly monotonicMs: number; readonly wallMs: number } | undefined
  const at = () => (zero ? clock.monotonicMs() - zero.monotonicMs : 0)
  const told = () => {
    const startedAtMs = zero?.wallMs ?? clock.wallMs()
    const summaryOf = (probe: string) => findProbe(probe)?.summary ?? ''
    return progressParts(viewOf(state, { at: at(), startedAtMs, foreseen, summaryOf }))
  }
  const parts = (): LiveParts => ({ ...told(), ...judged })
  const server = await openLiveServer({ page: () => renderLivePage(subject, parts()), parts })
  const judging = createJudging({
    begin: () => judgeApart(folder),
    show: (result: JudgedParts) => {
      judged = result
      server.send(judged)
    },
    nowMs: () => clock.monotonicMs(),
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
  })
  const look = () =>
    judging.look({
      evidence: `${state.run.sent} ${state.ended}`,
      quietMs: quietMs(state.run, at(), loadOf),
      // Before the first event the folder still holds the run before this one.
      isWatched: zero !== undefined && server.watchers() > 0,
    })
  let toldAt = 0
  const timer = setInterval(() => {
    void look()
    // That a wait is over is no event: what follows it is one only when it has ended.
    const isWaitOver = [...state.run.lanes.values()].some(
      ({ waiting }) => waiting !== null && waiting.until > toldAt && waiting.until <= at(),
    )
    if ((isNews || isWaitOver) && server.watchers() > 0) server.send(told())
    isNews = false
    toldAt = at()
  }, tellEveryMs)
  return {
    url: server.url,
    watch(event) {
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      state = afterEvent(state, event)
      isNews = true
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
