import { spawn } from 'node:child_process'
import { targetOf } from '../../assembly/build-report.js'
import { type Clock, systemClock } from '../../kit/clock.js'
import { aborted } from '../../kit/deadline.js'
import { whyOf } from '../../kit/usage-error.js'
import { type LiveLine, type LiveView, liveParts, renderLivePage } from '../../report/html/live-page.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import { subjectOf } from '../../report/quotas.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { toolVersion } from '../../run/package.js'
import { findProbe } from '../../run/plan/probe-registry.js'
import type { Progress } from '../../run/playing/run-log.js'
import { untilInterrupted } from '../output/interruption.js'
import {
  after,
  agentDoing,
  type Foreseen,
  freshState,
  isNews,
  lineOf,
  type RunState,
  timeOfDay,
} from '../output/progress.js'
import { type LiveServer, openLiveServer } from './live-server.js'

/** Lines that the page shows; the report has the others. */
const mostLines = 40

/** A run as its events tell it. */
interface LiveState {
  readonly run: RunState
  /** The latest first. */
  readonly lines: readonly LiveLine[]
  readonly linesLeftOut: number
}

export const freshLiveState: LiveState = { run: freshState, lines: [], linesLeftOut: 0 }

/** The state after an event. */
export const afterEvent = (state: LiveState, event: Progress): LiveState => {
  const text = lineOf(event)
  const lines = text === undefined ? state.lines : [{ at: event.at, text, isAmiss: isNews(event) }, ...state.lines]
  return {
    run: after(state.run, event),
    lines: lines.slice(0, mostLines),
    linesLeftOut: state.linesLeftOut + Math.max(0, lines.length - mostLines),
  }
}

/** When a view is taken, and of what. */
interface LiveMoment {
  /** Milliseconds since the run's start. */
  readonly at: number
  /** The wall clock at the run's start, in milliseconds since the epoch. */
  readonly startedAtMs: number
  readonly foreseen: Foreseen
  /** What a probe does, in a sentence. */
  readonly summaryOf: (probe: string) => string
}

/** What the page shows of a state. */
export const viewOf = (
  { run, lines, linesLeftOut }: LiveState,
  { at, startedAtMs, foreseen, summaryOf }: LiveMoment,
): LiveView => ({
  elapsedMs: at,
  foreseen,
  endsAbout: at < foreseen.durationMs ? timeOfDay(startedAtMs + foreseen.durationMs) : null,
  sent: run.sent,
  lanes: [...run.lanes].map(([key, { probe, waiting, done }]) => ({
    key,
    probe,
    summary: probe === null ? '' : summaryOf(probe),
    wait: waiting && {
      leftMs: Math.max(0, waiting.until - at),
      until: timeOfDay(startedAtMs + waiting.until),
      why: waiting.why,
    },
    done,
  })),
  agents: [...run.agents].map(([name, each]) => ({ name, doing: agentDoing(each), isLost: each.lost !== null })),
  lines,
  linesLeftOut,
})

const summaryOf = (probe: string): string => findProbe(probe)?.summary ?? ''

/** Whether a wait was over between two moments of a run. That is no event: what follows it is one only when it has ended. */
const isWaitOver = ({ lanes }: RunState, sinceMs: number, atMs: number): boolean =>
  [...lanes.values()].some(({ waiting }) => waiting !== null && waiting.until > sinceMs && waiting.until <= atMs)

/** A run as its events have told it by now, on a clock that knows the run's zero from the first event on. */
export const createToldRun = (foreseen: Foreseen, clock: Clock) => {
  let state = freshLiveState
  let zero: { readonly monotonicMs: number; readonly wallMs: number } | undefined
  const atMs = () => (zero ? clock.monotonicMs() - zero.monotonicMs : 0)
  let told = { state, at: 0 }
  return {
    add(event: Progress): void {
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      state = afterEvent(state, event)
    },
    /** The places of the page that tell of it. */
    parts: () =>
      liveParts(viewOf(state, { at: atMs(), startedAtMs: zero?.wallMs ?? clock.wallMs(), foreseen, summaryOf })),
    /** Whether there is more to be told than when this was last asked. */
    hasNews(): boolean {
      const before = told
      told = { state, at: atMs() }
      return state !== before.state || isWaitOver(state.run, before.at, told.at)
    },
  }
}

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
      const { scenario, baseUrl: target } = head
      const { contract } = subjectOf({ target: targetOf(head) })
      const subject = { scenario, target, contract, version: toolVersion }
      const told = createToldRun({ requests, durationMs: plan.durationMs }, systemClock)
      const page = () => renderLivePage(subject, told.parts())
      const opened = await openLiveServer({ page, parts: told.parts }).catch((error: unknown) => {
        say(`the run can't be shown in a browser: ${whyOf(error)}`)
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
