import type { ApiContract, RefusalRule } from '../../src/contract/api-contract.js'
import type { Call } from '../behaviour/behaviour.js'
import type { Answer } from '../http/answer.js'
import { retryAfterSeconds } from '../stores/ruling.js'
import { blockRuleOf } from './quota-charges.js'
import { momentText } from './quota-fields.js'

/** Where a contract has no rule for refusals: 429, as everybody does. */
const usual: RefusalRule = { is: 'quota', status: [429], when: {} }

/** How requests over a quota, or under a block, are answered. They have to cost less than service: written once. */
export const refusalAnswers = (contract: ApiContract) => {
  const rule = contract.refusals.find(({ is }) => is === 'quota') ?? usual
  const refused = answerBy(rule, 'the quota is used up')
  const blocked = answerBy(blockRuleOf(contract) ?? rule, 'too many requests were refused: no more for a while')
  return (call: Call): Answer => {
    const answer = call.ruling.outcome === 'banned' ? blocked : refused
    return { ...answer, headers: { ...answer.headers, ...waitHeaders(contract.retryAfter?.as[0], call) } }
  }
}

const answerBy = ({ status: [status = 429], when, body = '' }: RefusalRule, message: string): Answer => {
  const written = bodyWith(body, message)
  return { ...written, status, headers: { ...written.headers, 'Cache-Control': 'no-store', ...when } }
}

/** A body that has this text in it just as it stands: JSON, where that is possible. */
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

/** Retry-After in one of its forms; no header where none is agreed. */
export const waitHeaders = (form: 'seconds' | 'http-date' | undefined, { ruling, nowMs }: Call): Answer['headers'] => {
  if (form === undefined) return {}
  const asDate = () => momentText('http-date', nowMs + ruling.retryAfterMs, nowMs)
  return { 'Retry-After': form === 'http-date' ? asDate() : String(retryAfterSeconds(ruling)) }
}
