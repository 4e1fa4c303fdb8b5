import type { Report } from '../../../model.js'
import { failures, undecided, waivedFailures, warnings } from '../../../summary.js'
import { heldBy } from '../../../wording/held-by.js'
import { backoff } from '../backoff.js'
import { backoffCharts } from '../charts/backoff-charts.js'
import { clauseList } from '../clauses.js'
import { closing } from '../closing.js'
import { evidenceOf } from '../findings/exchange-view.js'
import { pictureOf } from '../findings/finding-card.js'
import { findings } from '../findings/findings.js'
import { limiterCost } from '../limiter-cost.js'
import { iconShapes } from '../marks.js'
import { opening } from '../opening.js'
import { planRow } from '../plans/plan-row.js'
import { chartsByPlan, plans } from '../plans/plans.js'
import { vantages } from '../plans/vantages.js'
import { runInNumbers } from '../run-in-numbers.js'
import { Html, html } from '../tag.js'
import { uplotScript, uplotStyle } from './assets.js'
import { browserScript } from './browser-script.js'
import { pageFooter, standalonePage } from './standalone-page.js'
import { pageStyle } from './style.js'

const style = `${uplotStyle}\n${pageStyle}`
const script = `${uplotScript}\n${browserScript}`

/** JSON that can stand in a script element: nothing in it ends the element or a line of script. */
export const embeddedJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const navigation = (report: Report): Html => {
  const links = [
    ['failed', 'Failed', failures(report).length],
    ...(undecided(report).length > 0 ? [['undecided', 'Inconclusive', undecided(report).length] as const] : []),
    ...(waivedFailures(report).length > 0 ? [['waived', 'Waived', waivedFailures(report).length] as const] : []),
    ...(warnings(report).length > 0 ? [['warnings', 'Warnings', warnings(report).length] as const] : []),
    ['gates', 'Gates', report.gates.length],
    ['plans', heldBy(report).many, null],
    ...(report.vantages.length > 0 ? [['vantages', 'Vantage points', null] as const] : []),
    ['clauses', 'All rules', report.clauses.length],
    ['generator', 'How it was run', null],
  ] as const
  return html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
${links.map(([id, label, number]) => html`<li><a href="#${id}">${label}${number !== null && html` <span class="count">${number}</span>`}</a></li>`)}
</ul></div></nav>`
}

/** The report as one page that stands alone: it loads nothing, and everything but the charts' interaction works without scripts. */
export const renderHtml = (report: Report): string => {
  const charts = chartsByPlan(report)
  const clientCharts = backoffCharts(report)
  const evidence = evidenceOf(report)
  const [worst] = failures(report)
  const picture = worst ? pictureOf(report, worst) : null
  // The evidence first, in this order: what failed has the first claim to its budget, and clauses link only to what is shown.
  const failed = findings(report, evidence)
  const end = closing(report, evidence)
  const body = html`<a class="skip" href="#main">Skip to the verdict</a>
${iconShapes}
${navigation(report)}
<main id="main" tabindex="-1">
${opening(report)}
${planRow(report)}
${failed}
${limiterCost(report)}
${runInNumbers(report)}
${plans(report, charts)}
${vantages(report)}
${clauseList(report, evidence.shown)}
<h2>How it was run</h2>
${backoff(report, clientCharts)}
${end}
</main>
${pageFooter(report.tool.version)}
<script type="application/json" id="charts">${new Html(embeddedJson([...(picture ? [picture] : []), ...[...charts.values()].flat(), ...clientCharts]))}</script>`
  const outcome = { pass: 'Pass', fail: 'Fail', inconclusive: 'Inconclusive' }[report.outcome]
  const title = `${outcome}: ${report.run.scenario} against ${report.target.baseUrl}`
  return standalonePage({ title, style, script, body })
}
