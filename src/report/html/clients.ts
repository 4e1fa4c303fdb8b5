import { planName } from '../../contract/plans.js'
import { formatDuration } from '../../kit/duration.js'
import { count, counted } from '../../kit/words.js'
import type { BackoffRow, BanRow, Report } from '../model.js'
import { type Chart, chartFigure, outcomeBars } from './chart.js'
import { anchor, foldedSection, type Html, html, scrollingTable, tableHead } from './markup.js'

/** What the page calls the clients of each behaviour. */
const clientWords = { compliant: 'Clients that wait as told', hammering: 'Clients that hammer' } as const

const chart = ({ plan, probe, behaviour, startedAt, stretchMs, attempts }: BackoffRow): Chart => ({
  id: anchor('chart', `${plan}-${probe}-${behaviour}`),
  title: `Attempts on ${plan}: ${clientWords[behaviour].toLowerCase()}`,
  how: `Each bar counts the attempts in ${formatDuration(stretchMs)}: served ones point up, refused ones point down and are wasted. Clients that back off pause after a refusal; clients that hammer do not.`,
  ...outcomeBars(startedAt, stretchMs, attempts, ['Served', 'Refused', 'Anything else']),
  moments: [],
})

/** The charts of the clients, in the order of their rows. */
export const backoffCharts = (report: Report): Chart[] => report.backoff.map(chart)

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((part / whole) * 100)} %`

/** What the clients of a row came to, in a sentence. */
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

const cells = (values: readonly (string | number | null)[]): Html =>
  html`${values.map((value) => html`<td class="number">${value === null ? '–' : typeof value === 'number' ? count(value) : value}</td>`)}`

const duration = (ms: number | null): string | null => (ms === null ? null : formatDuration(ms))

const clients = (report: Report): Html =>
  scrollingTable(
    'Clients',
    html`<table class="dense">${tableHead(['Plan', 'Clients', 'Number', 'Work', 'Served', 'Sent', 'Wasted', 'Share wasted', 'Rounds', 'Took', 'At best'], 2)}<tbody>
${report.backoff.map((row) => html`<tr><th scope="row">${planName(row.plan)}</th><td><span class="id">${clientWords[row.behaviour]}</span></td>${cells([row.clients, row.work, row.served, row.sent, row.wasted, percent(row.wasted, row.sent), row.rounds, duration(row.endedAt - row.startedAt), duration(row.idealMs)])}</tr>`)}</tbody></table>`,
  )

const banSentence = (ban: BanRow): string => {
  if (ban.startedAt === null && ban.status === null)
    return `No ban was seen on ${planName(ban.plan)}: ${counted(ban.refusedBefore ?? 0, 'refusal')} changed nothing.`
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

/** What clients that back off, and clients that hammer, attempted and got; and the bans that came of it. */
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
