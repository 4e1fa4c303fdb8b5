import { asPattern, count, formatDuration } from '../../kit/words.js'
import { clip } from '../escape.js'
import { exactMoment, headerOf, isRemaining, type Story } from '../findings.js'
import type { CheckRow, Report, WitnessRow } from '../model.js'
import { keyName } from '../summary.js'
import { anchor, commandBox, type Html, html, lines } from './markup.js'

const longestBody = 6_000
const longestHeader = 600

const isNamed = (header: string, value: string, named: ReadonlySet<string>): boolean =>
  named.has(header.toLowerCase()) || named.has(value.toLowerCase())

const headerList = (headers: WitnessRow['request']['headers'], named: ReadonlySet<string> | null): Html =>
  html`${headers.map(([name, value]) => {
    const line = html`<span class="header-name">${clip(name, longestHeader)}</span>: ${clip(value, longestHeader)}`
    return named !== null && isNamed(name, value, named) ? html`<mark>${line}</mark>\n` : html`${line}\n`
  })}`

/** The body with every named word marked. Only words of three characters or more: digits are everywhere. */
const bodyText = (body: string, named: ReadonlySet<string> | null): Html => {
  const shown = clip(body, longestBody)
  const words = [...(named ?? [])].filter((word) => word.length > 2 && shown.toLowerCase().includes(word))
  if (words.length === 0) return lines(shown)
  const pattern = new RegExp(`(${words.map(asPattern).join('|')})`, 'gi')
  return html`${shown.split(pattern).map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : lines(part)))}`
}

/** What a load's ledger row records about the request: nobody should think that it was sent without a key. */
const sentWith = ({ key }: WitnessRow): Html =>
  html`<i>${key === null ? 'Sent without a valid key' : `Sent with the key of ${keyName(key)}`}. A load keeps no headers of its requests.</i>`

const requestView = (x: WitnessRow): Html =>
  html`<pre tabindex="0" role="group" aria-label="Request of ${x.id}"><code><b>${x.request.method} ${clip(x.request.url, longestHeader)}</b>
${x.request.headers.length === 0 ? sentWith(x) : headerList(x.request.headers, null)}${x.request.body !== null && html`\n${bodyText(x.request.body, null)}`}</code></pre>`

const responseView = (x: WitnessRow, named: ReadonlySet<string> | null): Html => {
  if (x.response === null) return html`<p class="no-answer">No answer: ${x.error ?? 'none came'}</p>`
  const { status, reason, headers, body, bodyBytes } = x.response
  const statusNamed = named?.has(String(status)) === true
  const statusLine = html`<b>${status} ${clip(reason, longestHeader)}</b>`
  const empty = headers.length === 0 && body === ''
  return html`<pre tabindex="0" role="group" aria-label="Response of ${x.id}"><code>${statusNamed ? html`<mark>${statusLine}</mark>` : statusLine}
${headerList(headers, named)}${empty ? html`<i>A line of a ledger: headers and body were not kept.</i>` : html`\n${bodyText(body, named)}`}</code></pre>
${bodyBytes > longestBody && html`<p class="quiet">The body had ${count(bodyBytes)} bytes.</p>`}`
}

const timing = (x: WitnessRow): string => {
  const answered = x.receivedAt === null ? 'no answer' : `answered after ${(x.receivedAt - x.sentAt).toFixed(1)} ms`
  return `sent at ${formatDuration(x.sentAt)}, ${answered}${x.key === null ? ', without a valid key' : `, key of ${keyName(x.key)}`}`
}

/** One exchange: request and response side by side, the finding's words marked, and the curl to repeat it, if `hasCommand`. */
const exchangeView = (x: WitnessRow, named: ReadonlySet<string> | null, open: boolean, hasCommand: boolean): Html => {
  const status = x.response === null ? 'no answer' : String(x.response.status)
  return html`<details class="exchange" id="${anchor('exchange', x.id)}"${open && html` open`}>
<summary><span class="exchange-line">${x.request.method} ${clip(x.request.url, 120)}</span> <span class="exchange-id">request ${x.id}</span> <span class="status">${status}</span></summary>
<p class="quiet">${x.probe}, ${x.step}: ${timing(x)}</p>
<div class="sides"><div><p class="side">Request</p>${requestView(x)}</div><div><p class="side">Response</p>${responseView(x, named)}</div></div>
${hasCommand && x.curl !== null && commandBox(clip(x.curl, 4_000), `curl for ${x.id}`)}
</details>`
}

/** The most characters of markup for all exchanges together; the saved run holds the rest. */
const evidenceBudget = 600_000

/** The exchanges of the report; each is shown in full only once, and all within one budget. */
export type FindingEvidence = ReturnType<typeof noneShownYet>

export const noneShownYet = (report: Report) => ({
  byId: new Map(report.exchanges.map((x) => [x.id, x])),
  shown: new Set<string>(),
  budget: evidenceBudget,
})

/** The exchange in full, with the command to repeat it if that shows anything; null if the budget has no room left. */
export const shownInFull = (
  x: WitnessRow,
  named: ReadonlySet<string> | null,
  open: boolean,
  evidence: FindingEvidence,
  hasCommand = true,
): Html | null => {
  const view = exchangeView(x, named, open, hasCommand)
  if (view.markup.length > evidence.budget) return null
  evidence.budget -= view.markup.length
  evidence.shown.add(x.id)
  return view
}

const longestValue = 40
const longestPath = 120

/** The wait in a refusal: `Retry-After: 2 (come back at 50.000 s)`. */
const waitAsked = (x: WitnessRow): string => {
  const wait = x.response?.status === 429 ? headerOf(x, 'retry-after') : undefined
  if (wait === undefined) return ''
  const back =
    /^\d{1,9}$/.test(wait) && x.receivedAt !== null
      ? ` (come back at ${exactMoment(x.receivedAt + Number(wait) * 1000)})`
      : ''
  return `, Retry-After: ${clip(wait, longestValue)}${back}`
}

const resetNamed = (x: WitnessRow, check: CheckRow): string => {
  const reset = /^RATE-[^34]/.test(check.clauses[0] ?? '') ? headerOf(x, 'x-ratelimit-reset') : undefined
  return reset === undefined ? '' : `, X-RateLimit-Reset: ${clip(reset, longestValue)}`
}

/** The Remaining in an answer, if the finding is about the quota or Remaining: any API's header with that ending. */
const remainingShown = (x: WitnessRow, check: CheckRow): string => {
  const shown = /^(QUOTA-|RATE-[34])/.test(check.clauses[0] ?? '')
    ? x.response?.headers.find(([name]) => isRemaining(name))
    : undefined
  return shown === undefined ? '' : `, ${clip(shown[0], longestValue)}: ${clip(shown[1], longestValue)}`
}

/** The quantity of the finding's pet, as an answer lists it; a cut body may lack it. */
const quantityShown = (x: WitnessRow, { facts: { petId } }: CheckRow): string => {
  if (typeof petId !== 'string' || !/^\d{1,19}$/.test(petId)) return ''
  const listed = new RegExp(`"petId"\\s*:\\s*${petId}\\s*,[^{}]*"quantity"\\s*:\\s*(-?\\d{1,19})\\b`)
  const quantity = listed.exec(x.response?.body ?? '')?.[1]
  return quantity === undefined ? '' : `, pet ${petId} has ${quantity}`
}

/** The body of a change, if short enough for a line. */
const changeAsked = ({ request: { method, body } }: WitnessRow): string =>
  method === 'PATCH' && body !== null && body.length <= longestValue ? ` ${clip(body, longestValue)}` : ''

/** The time since the previous answer, if both were seen. */
const sinceBefore = (x: WitnessRow, before: WitnessRow | undefined): string =>
  before === undefined || before.receivedAt === null || x.sentAt < before.receivedAt
    ? ''
    : ` (${formatDuration(x.sentAt - before.receivedAt)} after that answer)`

const request = ({ request: { method, url } }: WitnessRow): string =>
  `${method} ${clip(URL.canParse(url) ? new URL(url).pathname : url, longestPath)}`

const step = (x: WitnessRow, check: CheckRow, end: string, before: WitnessRow | undefined): Html => {
  const status = x.response === null ? 'no answer' : String(x.response.status)
  const told = `${resetNamed(x, check)}${remainingShown(x, check)}${quantityShown(x, check)}${waitAsked(x)}${sinceBefore(x, before)}`
  return html`<li><span class="at">${exactMoment(x.sentAt)}</span> <span><a href="#${anchor('exchange', x.id)}">${request(x)}</a>${changeAsked(x)}: <b>${status}</b>${end === '' ? told : ` ${end}`}</span></li>`
}

/** The exchanges of a proof as one story in time: a line each, with the time of sending. */
export const storyView = (check: CheckRow, { end, steps }: Story, exchanges: readonly WitnessRow[]): Html =>
  html`<ol class="notes story">${exchanges.map((x, at) =>
    step(
      x,
      check,
      at > 0 && at === exchanges.length - 1 ? (end ?? '') : '',
      steps === undefined ? undefined : exchanges[at - 1],
    ),
  )}</ol>`
