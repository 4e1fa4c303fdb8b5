import type { ApiContract, ContractRequest, RefusalRule } from '../contract/api-contract.js'
import { type Exchange, type HeaderLine, headerValues } from '../evidence/exchange.js'
import { type LedgerRow, ledgerFlags } from '../evidence/ledger.js'

/** What identifies a refusal: an answer with its body, content codings undone. */
interface JudgedAnswer {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: string
}

/** The rules if a contract names none: 429, as RFC 6585 §4 defines it. */
const usualRules: readonly RefusalRule[] = [{ is: 'quota', status: [429], when: {} }]

/** The rules that identify a contract's refusals: if it names none, a 429 is a quota's. */
export const refusalRules = ({ refusals }: Pick<ApiContract, 'refusals'>): readonly RefusalRule[] =>
  refusals.length === 0 ? usualRules : refusals

/** Whether a rule applies to a status; one without statuses applies to all. */
export const namesStatus = ({ status }: RefusalRule, of: number): boolean => status.length === 0 || status.includes(of)

/** Whether the headers that a rule names are present, in any letter case, each line with exactly its value. */
export const fitsHeaders = ({ when }: RefusalRule, headers: readonly HeaderLine[]): boolean =>
  Object.entries(when).every(([name, value]) => {
    const values = headerValues(headers, name)
    return values.length > 0 && values.every((each) => each.trim() === value.trim())
  })

const fits = (rule: RefusalRule, { status, headers, body }: JudgedAnswer): boolean =>
  namesStatus(rule, status) && fitsHeaders(rule, headers) && body.includes(rule.body ?? '')

/** Whether an answer is a quota's refusal or a ban, by the first rule that fits; undefined if none does. */
export const refusalOf = (
  answer: JudgedAnswer,
  contract: Pick<ApiContract, 'refusals'>,
): RefusalRule['is'] | undefined => refusalRules(contract).find((rule) => fits(rule, answer))?.is

/** Whether an answer served its request: its status is expected, or any 2xx, and no rule calls it a refusal. */
export const isServed = (
  answer: JudgedAnswer,
  { expect }: Pick<ContractRequest, 'expect'>,
  contract: Pick<ApiContract, 'refusals'>,
): boolean => {
  const { status } = answer
  const expected = expect.length === 0 ? status >= 200 && status <= 299 : expect.includes(status)
  return expected && refusalOf(answer, contract) === undefined
}

/** The statuses by which the engine knows an outcome: served, refused by a quota, banned. */
export const settledStatus = { served: 200, quota: 429, ban: 403 } as const

/** The status of a single answer as the engine sees it, whatever the contract uses; 0 if no answer came. */
export const statusOfExchange = ({ response, operation }: Exchange, contract: ApiContract): number => {
  if (!response) return 0
  const { status, headers, body } = response
  const answer = { status, headers, body: body.content }
  const asked = contract.requests[operation ?? '']
  const kind = refusalOf(answer, contract) ?? (asked && isServed(answer, asked, contract) ? 'served' : undefined)
  return kind === undefined ? status : settledStatus[kind]
}

export const statusOfRow = (
  { status, flags }: Pick<LedgerRow, 'status' | 'flags'>,
  asked: ContractRequest | undefined,
): number => {
  if ((flags & ledgerFlags.refusedByRule) !== 0) return settledStatus.quota
  if ((flags & ledgerFlags.bannedByRule) !== 0) return settledStatus.ban
  const expected = asked?.expect ?? []
  const isExpected = expected.length === 0 ? status >= 200 && status < 300 : expected.includes(status)
  return isExpected ? settledStatus.served : status
}
