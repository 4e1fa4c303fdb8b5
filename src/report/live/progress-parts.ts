import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { clip } from '../escape.js'
import { scrollingTable } from '../formats/html/marks.js'
import { type Html, html } from '../formats/html/tag.js'
import { counted } from '../summary.js'
import type { LiveAgent, LiveLane, LiveLine, LiveParts, LiveView } from './live-view.js'

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
export const progressParts = (view: LiveView): Pick<LiveParts, 'progress' | 'lanes' | 'log'> => ({
  progress: progress(view).markup,
  lanes: lanes(view).markup,
  log: log(view).markup,
})
