import { formatDuration } from '../../../kit/duration.js'
import type { Report } from '../../model.js'
import { counted, requestTotals } from '../../summary.js'
import { keyName, probeName } from '../../wording/probe-names.js'
import { type FindingEvidence, shownInFull } from './findings/exchange-view.js'
import { generator } from './generator.js'
import { fact, foldedSection, numberCells, scrollingTable } from './marks.js'
import { type Html, html } from './tag.js'

const spending = (report: Report): Html => {
  if (report.spending.length === 0) return html`<p class="quiet">This run spent nothing.</p>`
  const total = (field: 'planned' | 'spent') => report.spending.reduce((sum, row) => sum + row[field], 0)
  return html`<p class="how">A probe is a set of requests that are sent together to show one thing.</p>${scrollingTable(
    'Requests by key and probe',
    html`<table><thead><tr><th scope="col">Key</th><th scope="col">Probe</th><th scope="col" class="number">Planned</th><th scope="col" class="number">Spent</th></tr></thead>
<tbody>${report.spending.map((row) => html`<tr><th scope="row">${keyName(row.key)}</th><td>${probeName(row.probe)}<code class="gate-id">${row.probe}</code></td>${numberCells([row.planned, row.spent])}</tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">In all</th>${numberCells([total('planned'), total('spent')])}</tr></tfoot></table>`,
  )}`
}

const notes = (report: Report): Html =>
  report.notes.length === 0
    ? html`<p class="quiet">Nothing was noted.</p>`
    : html`<ol class="notes">${report.notes.map((note) => html`<li><span class="at">${formatDuration(note.at)}</span> <span>${note.text}</span></li>`)}</ol>`

const otherExchanges = (report: Report, evidence: FindingEvidence): Html => {
  const rest = report.exchanges.filter((x) => !evidence.shown.has(x.id))
  const views = rest.flatMap((x) => shownInFull(x, null, false, evidence) ?? [])
  const left = rest.length - views.length + report.exchangesLeftOut
  return html`${views.length === 0 && html`<p class="quiet">No further exchange is named by a check.</p>`}${views}
${left > 0 && html`<p class="quiet">The saved run holds ${counted(left, 'more exchange')}.</p>`}`
}

const environment = (report: Report): Html => {
  const { run } = report
  return html`<dl class="facts">${fact('Run', run.id)}${fact('Node', run.environment.node)}${fact('Platform', run.environment.platform)}${fact('Processors', String(run.environment.cpus))}${fact('Strict', run.strict ? 'yes' : 'no')}${fact('Report schema', String(report.schemaVersion))}</dl>`
}

/** How the load was sent, what was spent on which key, the notes, the exchanges not shown above, the environment. */
export const closing = (report: Report, evidence: FindingEvidence): Html => html`
${foldedSection('generator', 'How the load was sent', counted(report.load.length, 'load'), generator(report))}
${foldedSection('spending', 'Requests by key and probe', counted(requestTotals(report).spent, 'request'), spending(report))}
${foldedSection('exchanges', 'Other exchanges', 'named by checks that found nothing wrong', otherExchanges(report, evidence))}
${foldedSection('notes', 'Notes', `${counted(report.notes.length, 'line')}: what was waited for, and why`, notes(report))}
${foldedSection('environment', 'Environment', 'machine and versions', environment(report))}`
