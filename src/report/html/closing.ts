import { formatDuration } from '../../kit/duration.js'
import type { Report } from '../model.js'
import { counted } from '../summary.js'
import { type FindingEvidence, shownInFull } from './findings.js'
import { generator } from './generator.js'
import { fact, numberCells, scrollingTable, section } from './marks.js'
import { type Html, html } from './tag.js'

const spending = (report: Report): Html => {
  if (report.spending.length === 0) return html`<p class="quiet">This run spent nothing.</p>`
  const total = (field: 'planned' | 'spent') => report.spending.reduce((sum, row) => sum + row[field], 0)
  return scrollingTable(
    'Requests by key and probe',
    html`<table><thead><tr><th scope="col">Key</th><th scope="col">Probe</th><th scope="col" class="number">Planned</th><th scope="col" class="number">Spent</th></tr></thead>
<tbody>${report.spending.map((row) => html`<tr><th scope="row">${row.key}</th><td>${row.probe}</td>${numberCells([row.planned, row.spent])}</tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">In all</th>${numberCells([total('planned'), total('spent')])}</tr></tfoot></table>`,
  )
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
${section('generator', 'Generator', generator(report))}
${section('spending', 'Requests spent', spending(report))}
${section('exchanges', 'Other exchanges', otherExchanges(report, evidence))}
${section('notes', 'Notes', notes(report))}
${section('environment', 'Environment', environment(report))}`
