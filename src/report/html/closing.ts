import { planName } from '../../contract/plans.js'
import { groupedBy } from '../../kit/grouped-by.js'
import { count, counted, formatDuration } from '../../kit/words.js'
import type { BackoffRow, BanRow, LoadRow, Report } from '../model.js'
import { subjectOf } from '../quotas.js'
import { keyName, probeName, requestTotals } from '../summary.js'
import { type Chart, chartFigure, outcomeBars } from './chart.js'
import { type FindingEvidence, shownInFull } from './exchange-view.js'
import { anchor, fact, type Html, html, numberCells, scrollingTable, tableHead } from './markup.js'

const clientWords = { compliant: 'Clients that wait as told', hammering: 'Clients that hammer' } as const

const chart = ({ plan, probe, behaviour, startedAt, stretchMs, attempts }: BackoffRow): Chart => ({
  id: anchor('chart', `${plan}-${probe}-${behaviour}`),
  title: `Attempts on ${plan}: ${clientWords[behaviour].toLowerCase()}`,
  how: `Each bar counts the attempts in ${formatDuration(stretchMs)}: served ones point up, refused ones point down and are wasted. Clients that back off pause after a refusal; clients that hammer do not.`,
  ...outcomeBars(startedAt, stretchMs, attempts, ['Served', 'Refused', 'Anything else']),
  moments: [],
})

export const backoffCharts = (report: Report): Chart[] => report.backoff.map(chart)

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((part / whole) * 100)} %`

const sentence = (row: BackoffRow): string => {
  const got =
    row.work === null
      ? counted(row.served, 'request')
      : `${count(Math.min(row.served, row.work))} of ${counted(row.work, 'request')}`
  const best = row.idealMs === null ? '' : `, at best ${formatDuration(row.idealMs)}`
  const took = `${formatDuration(row.endedAt - row.startedAt)}${best}`
  const clients = `${counted(row.clients, 'client')} that ${row.behaviour === 'compliant' ? 'wait as told' : 'hammer'}`
  return `${clients} had ${got} served in ${took}; ${count(row.wasted)} of ${counted(row.sent, 'attempt')} (${percent(row.wasted, row.sent)}) were wasted.`
}

const duration = (ms: number | null): string | null => (ms === null ? null : formatDuration(ms))

const clients = (report: Report): Html =>
  scrollingTable(
    'Clients',
    html`<table class="dense">${tableHead(['Plan', 'Clients', 'Number', 'Work', 'Served', 'Sent', 'Wasted', 'Share wasted', 'Rounds', 'Took', 'At best'], 2)}<tbody>
${report.backoff.map((row) => html`<tr><th scope="row">${planName(row.plan)}</th><td><span class="id">${clientWords[row.behaviour]}</span></td>${numberCells([row.clients, row.work, row.served, row.sent, row.wasted, percent(row.wasted, row.sent), row.rounds, duration(row.endedAt - row.startedAt), duration(row.idealMs)])}</tr>`)}</tbody></table>`,
  )

const banSentence = (ban: BanRow): string => {
  if (ban.startedAt === null && ban.status === null)
    return `No ban was seen on ${planName(ban.plan)}: ${counted(ban.refusedBefore ?? 0, 'refusal')} had no effect.`
  const after = ban.refusedBefore === null ? '' : ` after ${counted(ban.refusedBefore, 'refusal')} in a row`
  const shown = ban.headers.length === 0 ? '' : ` with ${ban.headers.join(', ')}`
  const asked = ban.askedMeanwhile === null ? '' : `, asked ${counted(ban.askedMeanwhile, 'time')} meanwhile`
  const lifted =
    ban.behaviour === 'compliant'
      ? ' They had done nothing wrong.'
      : ban.lengthMs === null
        ? ` It was not lifted while the run waited${asked}.`
        : ` It was lifted within ${formatDuration(ban.lengthMs)}${asked}.`
  return `${clientWords[ban.behaviour]} were banned on ${planName(ban.plan)}${after}: status ${ban.status ?? 'unknown'}${shown}.${lifted}`
}

const bans = (report: Report): Html | false =>
  report.bans.length > 0 &&
  html`<h3>Bans</h3><ol class="notes">${report.bans.map((ban) => html`<li><span class="at">${ban.startedAt === null ? '–' : formatDuration(ban.startedAt)}</span> <span>${banSentence(ban)}</span></li>`)}</ol>`

const panel = (
  report: Report,
  plan: string,
  charts: readonly Chart[],
): Html => html`<div class="plan"><h3>${planName(plan)}</h3>
${report.backoff.map((row, at) => row.plan === plan && html`<p class="told">${sentence(row)}</p>${charts[at] !== undefined && chartFigure(charts[at])}`)}</div>`

/** A folded section; its heading says briefly what it contains. */
const foldedSection = (id: string, title: string, said: string, content: Html): Html =>
  html`<section aria-labelledby="${id}-title"><details class="folded" id="${id}"><summary><h2 id="${id}-title">${title}</h2><span class="said">${said}</span></summary><div class="folded-body">${content}</div></details></section>`

/** What clients that back off, and clients that hammer, attempted and got; and the resulting bans. */
export const backoff = (report: Report, charts: readonly Chart[]): Html => {
  const said = report.backoff.length === 0 ? 'none was played' : `${counted(report.backoff.length, 'group')} of clients`
  return foldedSection(
    'backoff',
    'Clients that back off, and bans',
    said,
    html`${
      report.backoff.length === 0
        ? html`<p class="quiet">This run simulated no clients that share a key.</p>`
        : html`<p class="how">These clients share a key and a fixed amount of work: the requests that are to be served. Wasted attempts were sent and not served. “At best” is how long the work takes if a spent limit comes back exactly one window later.</p>${clients(report)}`
    }
${[...new Set(report.backoff.map((row) => row.plan))].map((plan) => panel(report, plan, charts))}
${bans(report)}`,
  )
}

const heads = [
  'Loads',
  'Planned',
  'Sent',
  'Answered',
  'Errors',
  'Timeouts',
  'Lost',
  'Connections',
  'Late by (ms): p50',
  'p99',
  'max',
]

const counts = ['planned', 'sent', 'answered', 'errors', 'timeouts', 'lost'] as const

const sum = (rows: readonly LoadRow[], of: (typeof counts)[number]): number =>
  rows.reduce((total, row) => total + row[of], 0)

const most = (rows: readonly LoadRow[], of: (row: LoadRow) => number | undefined): number | null => {
  const values = rows.flatMap((row) => of(row) ?? [])
  return values.length === 0 ? null : Math.max(...values)
}

/** The loads of a profile on a plan in one row: sums of counts, and the worst of other values. */
const row = (rows: readonly LoadRow[]): Html => {
  const [{ profile, plan }] = rows as readonly [LoadRow, ...LoadRow[]]
  const late = (['p50', 'p99', 'max'] as const).map((each) => most(rows, (row) => row.scheduleErrorMs?.[each]))
  const cells = [rows.length, ...counts.map((each) => sum(rows, each)), most(rows, (row) => row.connections), ...late]
  return html`<tr><th scope="row"><span class="id">${profile}</span></th><td>${planName(plan)}</td>${numberCells(cells)}</tr>`
}

/** Why these counts are lower than those for the whole run. */
const besides = (report: Report): Html | false => {
  const { spent } = requestTotals(report)
  const single = spent - sum(report.load, 'sent')
  return (
    single > 0 &&
    html`<p class="how">This table counts only the requests of loads. The run sent ${count(single)} of its ${counted(spent, 'request')} one at a time, for example to open a window before a burst.</p>`
  )
}

/** Whether every sent request is accounted for, in a sentence. */
const reconciliation = (loads: readonly LoadRow[]): string => {
  const all = (of: (typeof counts)[number]) => sum(loads, of)
  const sent = counted(all('sent'), 'request')
  const ends = `${count(all('answered'))} answered, ${counted(all('errors'), 'error')}, ${counted(all('timeouts'), 'timeout')}, ${count(all('lost'))} lost`
  return all('sent') === all('answered') + all('errors') + all('timeouts') + all('lost')
    ? `The counts add up: ${sent} sent = ${ends}.`
    : `The counts do not add up: ${sent} sent, but ${ends}.`
}

const stoppedEarly = (loads: readonly LoadRow[]): Html | false => {
  const told = loads.filter(({ problem }) => problem !== null)
  return (
    told.length > 0 &&
    html`<p>Ended early:</p><ul class="notes">${told.map((each) => html`<li>${each.profile}, ${each.plan}: ${each.problem ?? ''}</li>`)}</ul>`
  )
}

/** How the load was sent: planned and sent, the results, and how well it kept the schedule. */
const generator = (report: Report): Html => {
  const { load } = report
  if (load.length === 0) return html`<p class="quiet">This run sent no load.</p>`
  const groups = groupedBy(load, ({ profile, plan }) => `${profile} ${plan}`)
  const stillMs = most(load, (each) => each.stoodStillMs) ?? 0
  return html`<p class="how">A load proves something only if it was sent as planned. Sent equals planned, except for clients that wait as told: they stop at a refusal and send the rest later. “Late” is how long after its planned time a request left; a dash means that the load had no planned times. While this machine stalls, it reads no answers.</p>
${besides(report)}
<p class="told">${reconciliation(load)} The generator never stalled${stillMs >= 1 && ` for longer than ${formatDuration(stillMs)}`}.</p>
${stoppedEarly(load)}
${scrollingTable('Generator', html`<table class="dense">${tableHead(['Profile', subjectOf(report).one, ...heads], 2)}<tbody>${[...groups.keys()].sort().map((name) => row(groups.get(name) ?? []))}</tbody></table>`)}`
}

const spending = (report: Report): Html => {
  if (report.spending.length === 0) return html`<p class="quiet">This run spent nothing.</p>`
  const total = (field: 'planned' | 'spent') => report.spending.reduce((sum, row) => sum + row[field], 0)
  return html`<p class="how">A probe is a set of requests that together test one thing.</p>${scrollingTable(
    'Requests by key and probe',
    html`<table>${tableHead(['Key', 'Probe', 'Planned', 'Spent'], 2)}
<tbody>${report.spending.map((row) => html`<tr><th scope="row">${keyName(row.key)}</th><td>${probeName(row.probe)}<code class="gate-id">${row.probe}</code></td>${numberCells([row.planned, row.spent])}</tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">Total</th>${numberCells([total('planned'), total('spent')])}</tr></tfoot></table>`,
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
  return html`${views.length === 0 && html`<p class="quiet">No check names another exchange.</p>`}${views}
${left > 0 && html`<p class="quiet">The saved run holds ${counted(left, 'more exchange')}.</p>`}`
}

const environment = (report: Report): Html => {
  const { run } = report
  return html`<dl class="facts">${fact('Run', run.id)}${fact('Node', run.environment.node)}${fact('Platform', run.environment.platform)}${fact('Processors', String(run.environment.cpus))}${fact('Strict', run.strict ? 'yes' : 'no')}${fact('Report schema', String(report.schemaVersion))}</dl>`
}

/** How the load was sent, what each key spent, the notes, the exchanges not shown above, the environment. */
export const closing = (report: Report, evidence: FindingEvidence): Html => html`
${foldedSection('generator', 'How the load was sent', counted(report.load.length, 'load'), generator(report))}
${foldedSection('spending', 'Requests by key and probe', counted(requestTotals(report).spent, 'request'), spending(report))}
${foldedSection('exchanges', 'Other exchanges', 'named by checks that found nothing wrong', otherExchanges(report, evidence))}
${foldedSection('notes', 'Notes', `${counted(report.notes.length, 'line')}: what the run waited for, and why`, notes(report))}
${foldedSection('environment', 'Environment', 'machine and versions', environment(report))}`
