import { failures, undecided, waivedFailures, warnings } from '../findings.js'
import type { Report } from '../model.js'
import { subjectOf } from '../quotas.js'
import { clauseList } from './clauses.js'
import { backoff, backoffCharts, closing } from './closing.js'
import { noneShownYet } from './exchange-view.js'
import { findings } from './finding-card.js'
import { type Html, html, outcomeWords, scriptFile, standalonePage, writtenBy } from './markup.js'
import { opening } from './opening.js'
import { planRow } from './plan-row.js'
import { chartsByPlan, plans, vantages } from './plans.js'
import { events, limiterCost, runInNumbers } from './run-in-numbers.js'

const script = scriptFile('report/html/page-script.js')

const navigation = (report: Report): Html => {
  const links = [
    ['failed', 'Failed', failures(report).length],
    ...(undecided(report).length > 0 ? [['undecided', 'Inconclusive', undecided(report).length] as const] : []),
    ...(waivedFailures(report).length > 0 ? [['waived', 'Waived', waivedFailures(report).length] as const] : []),
    ...(warnings(report).length > 0 ? [['warnings', 'Warnings', warnings(report).length] as const] : []),
    ['gates', 'Gates', report.gates.length],
    ['plans', subjectOf(report).many, null],
    ...(report.vantages.length > 0 ? [['vantages', 'Vantage points', null] as const] : []),
    ['clauses', 'All rules', report.clauses.length],
    ['generator', 'How it was run', null],
  ] as const
  return html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
${links.map(([id, label, number]) => html`<li><a href="#${id}">${label}${number !== null && html` <span class="count">${number}</span>`}</a></li>`)}
</ul></div></nav>`
}

/** The report as one self-contained page: it loads nothing, and all but filters and copy buttons works without scripts. */
export const renderHtml = (report: Report): string => {
  const charts = chartsByPlan(report)
  const clientCharts = backoffCharts(report)
  const evidence = noneShownYet(report)
  // Evidence first, in this order: failures have priority for its budget, and clauses link only to what is shown.
  const failed = findings(report, evidence)
  const end = closing(report, evidence)
  const main = html`${opening(report)}
${planRow(report)}
${failed}
${events(report)}
${limiterCost(report)}
${runInNumbers(report)}
${plans(report, charts)}
${vantages(report)}
${clauseList(report, evidence.shown)}
<h2>How it was run</h2>
${backoff(report, clientCharts)}
${end}`
  return standalonePage({
    title: `${outcomeWords[report.outcome]}: ${report.run.scenario} against ${report.target.baseUrl}`,
    script,
    skip: 'Skip to the verdict',
    navigation: navigation(report),
    main,
    footer: writtenBy(report.tool.version),
  })
}
