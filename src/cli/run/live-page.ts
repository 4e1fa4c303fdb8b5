import { planName } from '../../contract/plans.js'
import type { Clock } from '../../kit/clock.js'
import { count, counted, formatDuration } from '../../kit/words.js'
import { clip } from '../../report/escape.js'
import {
  Html,
  html,
  iconShapes,
  pageStyle,
  scriptFile,
  scrollingTable,
  standalonePage,
  styleFile,
} from '../../report/html/markup.js'
import { findProbe } from '../../run/plan/probe-registry.js'
import type { Progress } from '../../run/playing/progress.js'
import {
  after,
  agentDoing,
  type Foreseen,
  freshState,
  isNews,
  type LaneState,
  lineOf,
  type ProgressMoment,
  type RunState,
  timeOfDay,
} from '../output/progress.js'

/** The places of the page that change while a run goes on, each with its markup. */
export type LiveParts = Readonly<Record<'progress' | 'lanes' | 'log', string>>

type Moment = ProgressMoment & { readonly foreseen: Foreseen }

/** The most that is shown of a name, and of a line; and of lines, of which the report has the others. */
const longestName = 80
const longestLine = 400
const mostLines = 40

/** Whole seconds: tenths would only flicker. */
const inSeconds = (ms: number): string =>
  (ms < 1000 ? '0 s' : formatDuration(Math.floor(ms / 1000) * 1000)).replace('.0 s', ' s')

const progress = ({ sent }: RunState, { at, startedAtMs, foreseen: { requests, durationMs } }: Moment): Html => {
  const end = at < durationMs && `, ends about ${timeOfDay(startedAtMs + durationMs)}`
  const most = Math.max(1, requests)
  return html`<p class="subject"><b>${inSeconds(at)}</b> of about ${formatDuration(durationMs)}${end}${at > durationMs && ', longer than planned'}</p>
<progress aria-label="Time" max="${durationMs}" value="${Math.min(at, durationMs)}"></progress>
<p class="subject"><b>${count(sent)}</b> of at most ${counted(requests, 'request')} sent</p>
<progress aria-label="Requests" max="${most}" value="${Math.min(sent, most)}"></progress>`
}

const doing = ({ probe, waiting }: LaneState, { at, startedAtMs }: Moment, isOver: boolean): Html => {
  if (probe === null) return html`<p class="quiet">${isOver ? 'Done' : 'Waits for the other keys'}</p>`
  if (waiting === null || waiting.until <= at) return html`<p>Asking now</p>`
  const leftMs = waiting.until - at
  return html`<p>Waits <b>${inSeconds(leftMs + 999)}</b>, until ${timeOfDay(startedAtMs + waiting.until)}, for ${clip(waiting.why, longestLine)}</p>`
}

const lanes = ({ lanes: all, agents }: RunState, moment: Moment): Html => {
  const isOver = all.size > 0 && [...all.values()].every(({ probe }) => probe === null)
  const lane = ([key, each]: readonly [string, LaneState]) =>
    html`<li class="lane"><h3>${clip(planName(key), longestName)} <span class="count">${counted(each.done, 'probe')} done</span></h3>${each.probe !== null && html`<p><code>${clip(each.probe, longestName)}</code></p>`}
${doing(each, moment, isOver)}${each.probe !== null && html`<p class="quiet">${clip(findProbe(each.probe)?.summary ?? '', longestLine)}</p>`}</li>`
  const table = html`<table><thead><tr><th scope="col">Agent</th><th scope="col">What it does</th></tr></thead><tbody>${[...agents].map(([name, each]) => html`<tr><th scope="row">${clip(name, longestName)}</th><td${each.lost !== null && html` class="worse"`}>${clip(agentDoing(each), longestLine)}</td></tr>`)}</tbody></table>`
  return html`${all.size === 0 && html`<p class="quiet">Nothing has begun yet.</p>`}
<ul class="lanes">${[...all].map(lane)}</ul>
${agents.size > 0 && html`<h3>Agents that send the loads</h3>${scrollingTable('Agents', table)}`}`
}

const log = (lines: readonly Html[]): Html => {
  const left = lines.length - mostLines
  return html`<ul class="notes">${lines.slice(-mostLines).reverse()}</ul>${left > 0 && html`<p class="quiet">${counted(left, 'earlier line')}: in the report, when the run is over.</p>`}`
}

/** A run as its events have told it by now, on a clock that knows the run's zero from the first event on. */
export const createToldRun = (foreseen: Foreseen, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>) => {
  let run = freshState
  const lines: Html[] = []
  let zero: { readonly monotonicMs: number; readonly wallMs: number } | undefined
  return {
    add(event: Progress): void {
      zero ??= { monotonicMs: clock.monotonicMs() - event.at, wallMs: clock.wallMs() - event.at }
      run = after(run, event)
      const text = lineOf(event)
      if (text !== undefined)
        lines.push(
          html`<li><span class="at">${(event.at / 1000).toFixed(1)} s</span><span${isNews(event) && html` class="worse"`}>${clip(text, longestLine)}</span></li>`,
        )
    },
    /** The places of the page that tell of it: how far it is, what each key does or waits for, and what has happened. */
    parts(): LiveParts {
      const at = zero ? clock.monotonicMs() - zero.monotonicMs : 0
      const moment = { at, startedAtMs: zero?.wallMs ?? clock.wallMs(), foreseen }
      return { progress: progress(run, moment).markup, lanes: lanes(run, moment).markup, log: log(lines).markup }
    },
  }
}

const style = `${pageStyle}${styleFile('cli/run/live-page.css')}`
const script = scriptFile('cli/run/live-script.js')
/** The most that is shown of what is run against what. */
const longestSubject = 200

const navigation = html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
<li><a href="#now">What it does now</a></li><li><a href="#log">What has happened</a></li></ul></div></nav>`

const place = (name: keyof LiveParts, parts: LiveParts): Html =>
  html`<div data-part="${name}">${new Html(parts[name])}</div>`

/** The page of a run that goes on, as it stands. It asks for nothing but what changes, beside itself at `events`. */
export const renderLivePage = (
  { scenario, target, contract, version }: Readonly<Record<'scenario' | 'target' | 'contract' | 'version', string>>,
  parts: LiveParts,
): string => {
  const subject = clip(`${scenario} against ${target}`, longestSubject)
  const body = html`<a class="skip" href="#main">Skip to the run</a>
${iconShapes}
${navigation}
<main id="main" tabindex="-1">
<header class="verdict running"><p class="outcome">Running</p><h1>${subject}</h1>
${place('progress', parts)}
<p class="quiet">Held to ${clip(contract, longestSubject)}. Verdicts come at the end: then the report takes the place of this page.</p>
<p class="connection" role="alert"></p>
<noscript><p class="quiet">Without scripts, reload the page to see how far the run is.</p></noscript>
</header>
<section id="now" aria-labelledby="now-title"><h2 id="now-title">What it does now</h2>${place('lanes', parts)}</section>
<section id="log" aria-labelledby="log-title"><h2 id="log-title">What has happened</h2>${place('log', parts)}</section>
</main>
<footer><p>Shown by quotaspec ${version} on this machine, to whoever has the address, for as long as the run goes on.</p></footer>`
  return standalonePage({ title: `Running: ${subject}`, style, script, connects: true, body })
}
