import { formatDuration } from '../../../../kit/duration.js'
import { clip } from '../../../escape.js'
import type { CheckRow, WitnessRow } from '../../../model.js'
import { exactMoment, headerOf, isRemaining, type Story } from '../../../wording/proof-stories.js'
import { anchor, type Html, html } from '../tag.js'

/** The most that is shown of a header's value, and of a path. */
const longestValue = 40
const longestPath = 120

/** What a refusal asks for: `Retry-After: 2 (come back at 50.000 s)`. */
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
  const reset = /^R/.test(check.clauses[0] ?? '') ? headerOf(x, 'x-ratelimit-reset') : undefined
  return reset === undefined ? '' : `, X-RateLimit-Reset: ${clip(reset, longestValue)}`
}

/** What is left by an answer's own word, where the quota is the matter: of any API's header that ends so. */
const remainingShown = (x: WitnessRow, check: CheckRow): string => {
  const shown = /^QUOTA-/.test(check.clauses[0] ?? '')
    ? x.response?.headers.find(([name]) => isRemaining(name))
    : undefined
  return shown === undefined ? '' : `, ${clip(shown[0], longestValue)}: ${clip(shown[1], longestValue)}`
}

/** The quantity of the pet that the finding is about, as an answer lists it; a body that was cut off may lack it. */
const quantityShown = (x: WitnessRow, { facts: { petId } }: CheckRow): string => {
  if (typeof petId !== 'string' || !/^\d{1,19}$/.test(petId)) return ''
  const listed = new RegExp(`"petId"\\s*:\\s*${petId}\\s*,[^{}]*"quantity"\\s*:\\s*(-?\\d{1,19})\\b`)
  const quantity = listed.exec(x.response?.body ?? '')?.[1]
  return quantity === undefined ? '' : `, pet ${petId} has ${quantity}`
}

/** What a change asked for, where that is short enough for a line. */
const changeAsked = ({ request: { method, body } }: WitnessRow): string =>
  method === 'PATCH' && body !== null && body.length <= longestValue ? ` ${clip(body, longestValue)}` : ''

/** The time since the answer before it, where both were seen. */
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

/** The exchanges of a proof as one story in time: a line each, with the moment at which it was sent. */
export const storyView = (check: CheckRow, { end, steps }: Story, exchanges: readonly WitnessRow[]): Html =>
  html`<ol class="notes story">${exchanges.map((x, at) =>
    step(
      x,
      check,
      at > 0 && at === exchanges.length - 1 ? (end ?? '') : '',
      steps === undefined ? undefined : exchanges[at - 1],
    ),
  )}</ol>`
