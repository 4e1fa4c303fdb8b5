import { planName } from '../../contract/plans.js'
import { formatDuration } from '../../kit/duration.js'
import { count, counted } from '../../kit/words.js'
import { clip } from '../escape.js'
import { Html, html, iconShapes, pageStyle, scriptFile, scrollingTable, standalonePage, styleFile } from './markup.js'

/** What a key does at a moment of a run. */
interface LiveLane {
  readonly key: string
  /** The probe that is played on it; null where it waits for the others, or is done. */
  readonly probe: string | null
  /** What that probe does, in a sentence. */
  readonly summary: string
  readonly wait: {
    readonly leftMs: number
    /** The time of day at which it ends: `12:00:08`. */
    readonly until: string
    readonly why: string
  } | null
  /** Probes that came to an end on it. */
  readonly done: number
}

/** An agent that sends a run's loads, with what it does. */
interface LiveAgent {
  readonly name: string
  readonly doing: string
  readonly isLost: boolean
}

/** Something that happened. */
export interface LiveLine {
  /** Milliseconds since the run's start. */
  readonly at: number
  readonly text: string
  /** Whether something went amiss. */
  readonly isAmiss: boolean
}

/** A run as it stands, before it has a report. */
export interface LiveView {
  readonly elapsedMs: number
  readonly foreseen: { readonly requests: number; readonly durationMs: number }
  /** The time of day at which it ends, as planned; null where that has passed. */
  readonly endsAbout: string | null
  readonly sent: number
  readonly lanes: readonly LiveLane[]
  readonly agents: readonly LiveAgent[]
  /** The latest first. */
  readonly lines: readonly LiveLine[]
  /** How many earlier ones there were. */
  readonly linesLeftOut: number
}

/** The places of the page that change while a run goes on, each with its markup. */
export interface LiveParts {
  readonly progress: string
  readonly lanes: string
  readonly log: string
}

/** The most that is shown of a name, and of a line. */
const longestName = 80
const longestLine = 400

/** Whole seconds, as the page's script counts them on. */
const inSeconds = (ms: number): string =>
  (ms < 1000 ? '0 s' : formatDuration(Math.floor(ms / 1000) * 1000)).replace('.0 s', ' s')

const progress = ({ elapsedMs, foreseen, endsAbout, sent }: LiveView): Html => {
  const isLate = elapsedMs > foreseen.durationMs
  const most = Math.max(1, foreseen.requests)
  return html`<p class="subject"><b data-since="${elapsedMs}">${inSeconds(elapsedMs)}</b> of about ${formatDuration(foreseen.durationMs)}${endsAbout !== null && `, ends about ${endsAbout}`}${isLate && ', longer than planned'}</p>
<progress aria-label="Time" max="${foreseen.durationMs}" value="${Math.min(elapsedMs, foreseen.durationMs)}" data-runs></progress>
<p class="subject"><b>${count(sent)}</b> of at most ${counted(foreseen.requests, 'request')} sent</p>
<progress aria-label="Requests" max="${most}" value="${Math.min(sent, most)}"></progress>`
}

const doing = ({ probe, wait }: LiveLane, isOver: boolean): Html => {
  if (probe === null) return html`<p class="quiet">${isOver ? 'Done' : 'Waits for the other keys'}</p>`
  if (wait === null || wait.leftMs <= 0) return html`<p>Asking now</p>`
  return html`<p>Waits <b data-left="${wait.leftMs}">${inSeconds(wait.leftMs + 999)}</b>, until ${wait.until}, for ${clip(wait.why, longestLine)}</p>`
}

const lane = (each: LiveLane, isOver: boolean): Html =>
  html`<li class="lane"><h3>${clip(planName(each.key), longestName)} <span class="count">${counted(each.done, 'probe')} done</span></h3>${each.probe !== null && html`<p><code>${clip(each.probe, longestName)}</code></p>`}
${doing(each, isOver)}${each.probe !== null && html`<p class="quiet">${clip(each.summary, longestLine)}</p>`}</li>`

const agentTable = (agents: readonly LiveAgent[]): Html =>
  scrollingTable(
    'Agents',
    html`<table><thead><tr><th scope="col">Agent</th><th scope="col">What it does</th></tr></thead><tbody>${agents.map(({ name, doing: what, isLost }) => html`<tr><th scope="row">${clip(name, longestName)}</th><td${isLost && html` class="worse"`}>${clip(what, longestLine)}</td></tr>`)}</tbody></table>`,
  )

const lanes = ({ lanes: all, agents }: LiveView): Html => {
  const isOver = all.length > 0 && all.every(({ probe }) => probe === null)
  return html`${all.length === 0 && html`<p class="quiet">Nothing has begun yet.</p>`}
<ul class="lanes">${all.map((each) => lane(each, isOver))}</ul>
${agents.length > 0 && html`<h3>Agents that send the loads</h3>${agentTable(agents)}`}`
}

const line = ({ at, text, isAmiss }: LiveLine): Html =>
  html`<li><span class="at">${(at / 1000).toFixed(1)} s</span><span${isAmiss && html` class="worse"`}>${clip(text, longestLine)}</span></li>`

const log = ({ lines, linesLeftOut }: LiveView): Html =>
  html`<ul class="notes">${lines.map(line)}</ul>${linesLeftOut > 0 && html`<p class="quiet">${counted(linesLeftOut, 'earlier line')}: in the report, when the run is over.</p>`}`

/** How far a run is, what each key does or waits for, and what has happened. */
export const liveParts = (view: LiveView): LiveParts => ({
  progress: progress(view).markup,
  lanes: lanes(view).markup,
  log: log(view).markup,
})

const style = `${pageStyle}${styleFile('report/html/live-page.css')}`
const script = scriptFile('report/html/live-script.js')

/** The most that is shown of what is run against what. */
const longestSubject = 200

/** What a run is, as far as it is known before anything is sent. */
interface LiveSubject {
  readonly scenario: string
  readonly target: string
  /** What the target is held to. */
  readonly contract: string
  readonly version: string
}

const navigation = html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
<li><a href="#now">What it does now</a></li><li><a href="#log">What has happened</a></li></ul></div></nav>`

const place = (name: keyof LiveParts, parts: LiveParts): Html =>
  html`<div data-part="${name}">${new Html(parts[name])}</div>`

/** The page of a run that goes on, as it stands. It asks for nothing but what changes, beside itself at `events`. */
export const renderLivePage = ({ scenario, target, contract, version }: LiveSubject, parts: LiveParts): string => {
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
  const title = `Running: ${subject}`
  return standalonePage({ title, style, script, connects: true, body })
}
