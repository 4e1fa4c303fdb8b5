import { planName } from '../../contract/plans.js'
import { count, counted, formatDuration } from '../../kit/words.js'
import { clip } from '../escape.js'
import { failures, undecided, waivedFailures, warnings } from '../findings.js'
import type { CostRow, Report } from '../model.js'
import { subjectOf } from '../quotas.js'
import { costMs, countClauses, countFailures, countUnrestored, limiterCostInWords, requestTotals } from '../summary.js'
import { clauseList } from './clauses.js'
import { backoff, backoffCharts, closing } from './closing.js'
import { noneShownYet } from './exchange-view.js'
import { findings } from './finding-card.js'
import {
  badge,
  type Html,
  html,
  type Mark,
  numberCells,
  outcomeWords,
  scriptFile,
  scrollingTable,
  standalonePage,
  tableHead,
  writtenBy,
} from './markup.js'
import { opening } from './opening.js'
import { planRow } from './plan-row.js'
import { chartsByPlan, plans, vantages } from './plans.js'

const longestReason = 400

const tile = (label: string, value: string, detail: string, tone: string): Html =>
  html`<div class="tile ${tone}"><dt>${label}</dt><dd><strong>${value}</strong><span>${detail}</span></dd></div>`

const inventoryTile = (report: Report): Html | false => {
  if (!subjectOf(report).hasInventory) return false
  const { changed, unseen } = countUnrestored(report)
  if (report.restored) return tile('Inventory', 'Restored', 'as it was before the run', '')
  const unlooked = `${counted(unseen, 'pet')} could not be checked`
  if (changed === 0) return tile('Inventory', 'Not known', unlooked, 'inconclusive')
  const toPutBack = `${counted(changed, 'pet')} to put back`
  return tile('Inventory', 'Not restored', unseen > 0 ? `${toPutBack}, ${unlooked}` : toPutBack, 'fail')
}

const tiles = (report: Report): Html => {
  const of = countClauses(report)
  const { failed, warned, waived } = countFailures(report)
  const spent = requestTotals(report)
  return html`<dl class="tiles">
${tile('Rules passed', count(of.pass), `of ${counted(report.clauses.length, 'rule')}`, 'pass')}
${tile('Failed', count(failed), [...(waived > 0 ? [`${count(waived)} waived`] : []), counted(warned, 'warning')].join(', '), failed > 0 ? 'fail' : '')}
${tile('Inconclusive', count(of.inconclusive), 'tested, but not decided', of.inconclusive > 0 ? 'inconclusive' : '')}
${tile('Observed', count(of.observed), 'the contract leaves it open', '')}
${tile('Not tested', count(of['not-tested']), 'each says why', '')}
${tile('Requests spent', count(spent.spent), `of a budget of ${count(spent.planned)}`, '')}
${tile('Duration', formatDuration(report.run.durationMs), `planned: ${formatDuration(report.run.plannedMs)} without repeats${report.run.interrupted ? ', interrupted' : ''}`, '')}
${inventoryTile(report)}
</dl>`
}

const gates = (report: Report): Html => {
  if (report.gates.length === 0) return html`<p class="quiet">This scenario sets no gates.</p>`
  const rows = report.gates.map(
    (gate) =>
      html`<li>${badge(gate.waived ? 'waived' : gate.verdict)}<div class="gate-what">${gate.sentence} <code class="gate-id">${gate.id}</code></div><div class="gate-value"><span class="quiet">Value</span> ${gate.value}</div><div class="gate-value"><span class="quiet">Limit</span> ${gate.limit}</div></li>`,
  )
  return html`<ul class="gates">${rows}</ul>`
}

const waiverStates: Readonly<Record<Report['waivers'][number]['state'], { mark: Mark; said: string }>> = {
  applied: { mark: 'waived', said: 'applied' },
  expired: { mark: 'fail', said: 'ended' },
  'passes-now': { mark: 'fail', said: 'no longer needed' },
  unused: { mark: 'not-tested', said: 'not needed' },
}

const waivers = (report: Report): Html | false =>
  report.waivers.length > 0 &&
  html`<section id="waivers" aria-labelledby="waivers-title"><h2 id="waivers-title">Waivers</h2><p class="how">Known failures: each is shown, but does not count until its last day is over. A waiver that has ended, or that is no longer needed, fails the run.</p>${scrollingTable(
    'Waivers',
    html`<table>${tableHead(['Waived', 'State', 'Reason', 'Owner', 'Until'])}<tbody>${report.waivers.map((each) => html`<tr><th scope="row"><span class="id">${each.id}</span><code class="gate-id">${each.place}</code></th><td>${badge(waiverStates[each.state].mark)}<span class="said">${waiverStates[each.state].said}</span></td><td>${clip(each.reason, longestReason)}<span class="said">${clip(each.sentence, longestReason)}</span></td><td>${each.owner}</td><td><span class="id">${each.until}</span></td></tr>`)}</tbody></table>`,
  )}</section>`

const runInNumbers = (
  report: Report,
): Html => html`<section id="gates" aria-labelledby="gates-title"><h2 id="gates-title">Gates and counts</h2>${gates(report)}${tiles(report)}</section>
${waivers(report)}`

const heads = ['Round', 'Admitted, p50 (ms)', 'Refused, p50 (ms)', 'Longest stall of this machine (ms)']

const roundLines = ({ plan, rounds }: CostRow): Html[] =>
  rounds.map(
    ({ round, admitted, refused, stoodStillMs }) =>
      html`<tr><th scope="row">${planName(plan)}</th>${numberCells([String(round), costMs(admitted), costMs(refused), Math.round(stoodStillMs)])}</tr>`,
  )

const roundTable = (report: Report): Html | false => {
  const lines = report.limiterCosts.flatMap(roundLines)
  return (
    lines.length > 0 &&
    html`<details class="fold"><summary>Each round</summary><p class="how">While this machine stalled, answers waited unread, so they seem slower than they were.</p>${scrollingTable(
      'What the limiter costs in each round',
      html`<table>${tableHead([subjectOf(report).one, ...heads], 1)}<tbody>${lines}</tbody></table>`,
    )}</details>`
  )
}

/** What was done to the target on purpose; nothing if nothing was. */
const events = (report: Report): Html | false =>
  report.events.length > 0 &&
  html`<section id="events" aria-labelledby="events-title"><h2 id="events-title">Events</h2><p class="how">What the scenario did to the target in the middle of a load. The times before and after it are judged separately.</p><ul class="notes">${report.events.map(({ at, sentence }) => html`<li><span>At ${formatDuration(at)}, ${sentence}.</span></li>`)}</ul></section>`

/** What the limiter costs on each key; nothing if no load measured it. */
const limiterCost = (report: Report): Html | false =>
  report.limiterCosts.length > 0 &&
  html`<section id="limiter-cost" aria-labelledby="limiter-cost-title"><h2 id="limiter-cost-title">What the limiter costs</h2><p class="how">The time from sending a request to its answer, over all rounds of the loads of the probe cost.</p><ul class="notes">${report.limiterCosts.map((row) => html`<li><span><strong>${planName(row.plan)}</strong>: ${limiterCostInWords(row)}.</span></li>`)}</ul>${roundTable(report)}</section>`

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
