import {
  type ApiContract,
  type HeaderField,
  type QuotaSpec,
  type RefusalRule,
  type ResetUnit,
  waitName,
} from '../src/contract/api-contract.js'
import type { Behaviour, Call } from './behaviour.js'
import type { Answer } from './http/answer.js'
import { mostLeft, nearestToExhaustion, retryAfterSeconds, type WindowState } from './stores/ruling.js'

interface Shown {
  /** All quotas that the request counted against, at least one. */
  readonly all: readonly WindowState[]
  /** The quota in a field that can show only one. */
  readonly nearest: WindowState
  readonly moment: (unit: ResetUnit, atMs: number) => string
}

type Writer = (shown: Shown, field: HeaderField, nameOf: (state: WindowState) => string) => string

/** In a demo, a window may not be a whole number of seconds. */
const windowSeconds = ({ window }: WindowState) => Number((window.windowMs / 1000).toFixed(3))
const policies: Writer = ({ all }) => all.map((each) => `${each.window.limit};w=${windowSeconds(each)}`).join(', ')
const used = ({ window, remaining }: WindowState) => mostLeft(window) - remaining

/** How to write each field of a dialect; fields up to draft 07 show one quota, later ones show all. */
const writers: Readonly<Record<HeaderField['is'], Writer>> = {
  limit: ({ nearest }) => String(mostLeft(nearest.window)),
  remaining: ({ nearest }) => String(nearest.remaining),
  used: ({ nearest }) => String(used(nearest)),
  'used/limit': ({ nearest }) => `${used(nearest)}/${mostLeft(nearest.window)}`,
  reset: ({ nearest, moment }, { as = 'epoch-s' }) => moment(as, nearest.resetMs),
  policy: policies,
  'draft-07-policy': policies,
  'draft-07': ({ nearest, moment }) =>
    `limit=${mostLeft(nearest.window)}, remaining=${nearest.remaining}, reset=${moment('delta-s', nearest.resetMs)}`,
  'draft-11-policy': ({ all }, _, nameOf) =>
    all.map((each) => `${nameOf(each)};q=${each.window.limit};w=${windowSeconds(each)}`).join(', '),
  'draft-11': ({ all, moment }, _, nameOf) =>
    all.map((each) => `${nameOf(each)};r=${each.remaining};t=${moment('delta-s', each.resetMs)}`).join(', '),
}

/** A string of a structured field (RFC 9651 §3.3.3). */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** What a field shows: all quotas, or its own; undefined if the request did not count against its own. */
const toldBy = ({ quota }: HeaderField, shown: Shown): Shown | undefined => {
  if (quota === undefined) return shown
  const own = shown.all.find(({ window }) => window.name === quota)
  return own && { ...shown, all: [own], nearest: own }
}

/** Writes the fields of a contract. `self` gives the behaviour with all departures applied. */
export const quotaFields = ({ headers, quotas }: ApiContract, self: () => Behaviour): Behaviour['fields'] => {
  const names = new Map(quotas.map(({ id, policy }: QuotaSpec) => [id, quoted(policy ?? id)]))
  const nameOf = ({ window }: WindowState) => names.get(window.name) ?? quoted(window.name)
  return (all, { ruling, nowMs }) => {
    if (all.length === 0) return {}
    const moment = (unit: ResetUnit, atMs: number) => self().momentText(unit, atMs, nowMs)
    const shown = { all, nearest: nearestToExhaustion({ ...ruling, windows: all }), moment }
    return Object.fromEntries(
      headers.flatMap((field) => {
        const told = field.on === 'served' && ruling.outcome !== 'admitted' ? undefined : toldBy(field, shown)
        return told ? [[field.name, writers[field.is](told, field, nameOf)]] : []
      }),
    )
  }
}

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

/** `6m0s`, `1h0m2.5s`, `0.02s`: hours and minutes only if there are any. */
const durationText = (ms: number): string => {
  const whole = Math.ceil(ms)
  const hours = Math.floor(whole / 3_600_000)
  const minutes = Math.floor(whole / 60_000) % 60
  const seconds = `${(whole % 60_000) / 1000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

const momentWriters: Readonly<Record<ResetUnit, (atMs: number, nowMs: number) => string>> = {
  'epoch-s': (atMs) => String(wholeSeconds(atMs)),
  'epoch-ms': (atMs) => String(Math.ceil(atMs)),
  'delta-s': (atMs, nowMs) => String(wholeSeconds(Math.max(0, atMs - nowMs))),
  'delta-ms': (atMs, nowMs) => String(Math.ceil(Math.max(0, atMs - nowMs))),
  duration: (atMs, nowMs) => durationText(Math.max(0, atMs - nowMs)),
  'iso-8601': (atMs) => new Date(Math.ceil(atMs)).toISOString(),
  'http-date': (atMs) => new Date(wholeSeconds(atMs) * 1000).toUTCString(),
}

/** Writes a moment in a unit, rounded up, so that it is never too early. */
export const momentText = (unit: ResetUnit, atMs: number, nowMs: number): string => momentWriters[unit](atMs, nowMs)

/** The usual refusal, for a contract without a rule: 429. */
const usual: RefusalRule = { is: 'quota', status: [429], when: {} }

/** Answers to requests over a quota or under a block. They must cost less than service, so they are written only once. */
export const refusalAnswers = (contract: ApiContract) => {
  const rule = contract.refusals.find(({ is }) => is === 'quota') ?? usual
  const refused = answerBy(rule, 'the quota is used up')
  const blocked = answerBy(blockRuleOf(contract) ?? rule, 'too many requests were refused: no more for a while')
  return (call: Call): Answer => {
    const answer = call.ruling.outcome === 'banned' ? blocked : refused
    return { ...answer, headers: { ...answer.headers, ...waitHeaders(contract, contract.retryAfter?.as[0], call) } }
  }
}

const answerBy = ({ status: [status = 429], when, body = '' }: RefusalRule, message: string): Answer => {
  const written = bodyWith(body, message)
  return { ...written, status, headers: { ...written.headers, 'Cache-Control': 'no-store', ...when } }
}

/** A body that contains this text unchanged; JSON if possible. */
const bodyWith = (text: string, message: string): Pick<Answer, 'headers' | 'body'> => {
  const json = { 'Content-Type': 'application/json' }
  const made = JSON.stringify({ message: text || message })
  if (made.includes(text)) return { headers: json, body: made }
  const whole = [text, `{${text}}`].find(isJson)
  return whole ? { headers: json, body: whole } : { headers: { 'Content-Type': 'text/plain' }, body: text }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The header that names the wait, in one of its forms; none if the contract has none. */
export const waitHeaders = (
  contract: ApiContract,
  form: 'seconds' | 'http-date' | undefined,
  { ruling, nowMs }: Call,
): Answer['headers'] => {
  if (form === undefined) return {}
  const asDate = () => momentText('http-date', nowMs + ruling.retryAfterMs, nowMs)
  return { [waitName(contract)]: form === 'http-date' ? asDate() : String(retryAfterSeconds(ruling)) }
}

/** The rule for a block of a fixed length: the quota's own, or that of a ban. */
export const blockRuleOf = ({ refusals }: ApiContract): RefusalRule | undefined => {
  const quota = refusals.find(({ is }) => is === 'quota')
  return quota?.lastsMs === undefined
    ? refusals.find(({ is, lastsMs }) => is === 'ban' && lastsMs !== undefined)
    : quota
}
