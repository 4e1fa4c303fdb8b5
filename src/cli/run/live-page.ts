import type { Clock } from '../../kit/clock.js'
import { counted } from '../../kit/words.js'
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
import type { Progress } from '../../run/playing/progress.js'
import { createToldRun, type Foreseen, isNews, lineOf } from '../output/progress.js'

/** The places of the page that change while a run goes on, each with its markup. */
export type LiveParts = Readonly<Record<'progress' | 'lanes' | 'log', string>>

/** The most that is shown of a name, and of a line; and of lines, of which the report has the others. */
const longestName = 80
const longestLine = 400
const mostLines = 40

const bar = (label: string, value: number, most: number): Html =>
  html`<progress aria-label="${label}" max="${Math.max(1, most)}" value="${Math.min(value, most)}"></progress>`

const classes = { dim: html` class="quiet"`, yellow: html` class="worse"` }

const table = (what: string, rows: ReturnType<ReturnType<typeof createToldRun>['keys']>): Html => {
  const cells = rows.map(
    ([name, text, style]) =>
      html`<tr><th scope="row">${clip(name, longestName)}</th><td${style !== null && classes[style]}>${clip(text, longestLine)}</td></tr>`,
  )
  return scrollingTable(
    `${what}s`,
    html`<table><thead><tr><th scope="col">${what}</th><th scope="col">What it does</th></tr></thead><tbody>${cells}</tbody></table>`,
  )
}

const log = (lines: readonly Html[]): Html => {
  const left = lines.length - mostLines
  return html`<ul class="notes">${lines.slice(-mostLines).reverse()}</ul>${left > 0 && html`<p class="quiet">${counted(left, 'earlier line')}: in the report, when the run is over.</p>`}`
}

/** A run for its page: how far it is, what each key does or waits for, and what has happened. */
export const createShownProgress = (foreseen: Foreseen, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>) => {
  const run = createToldRun(foreseen, clock)
  const lines: Html[] = []
  return {
    add(event: Progress): void {
      run.add(event)
      const text = lineOf(event)
      if (text === undefined) return
      const at = `${(event.at / 1000).toFixed(1)} s`
      lines.push(
        html`<li><span class="at">${at}</span><span${isNews(event) && classes.yellow}>${clip(text, longestLine)}</span></li>`,
      )
    },
    parts(): LiveParts {
      const { sent, ms } = run.reached()
      const [keys, agents] = [run.keys(), run.agents()]
      const progress = html`<p class="subject">${run.total()}</p>
${bar('Time', ms, foreseen.durationMs)}${bar('Requests', sent, foreseen.requests)}`
      const lanes = html`${keys.length > 0 ? table('Key', keys) : html`<p class="quiet">Nothing has begun yet.</p>`}${agents.length > 0 && table('Agent', agents)}`
      return { progress: progress.markup, lanes: lanes.markup, log: log(lines).markup }
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
