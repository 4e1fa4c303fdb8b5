import { agreedBlockMs } from './agreed-block.js'
import type { ApiContract, HeaderField } from './api-contract.js'
import { type Clause, type ClauseId, clauseOf, gravestOf, type Level } from './clauses.js'
import { fieldsShowing, type ShownPart } from './shown-parts.js'

type ContractClause = Clause & { readonly id: ClauseId }

/** What a contract file asks for, in the words of any API. Ids are those of the bundled contract that say the same of it. */
const sentences = {
  'RATE-1': 'Every answer carries the fields that show the quota.',
  'RATE-2': 'The limit that is shown is the agreed one.',
  'RATE-3': 'What is shown to remain is a whole number from 0 to the limit, and 0 on a refusal.',
  'RATE-4': 'What is shown to remain falls with each request that counts.',
  'RATE-5': 'Reset is written as agreed, and lies between now and the end of the window.',
  'RATE-6': 'Reset is honest: from that moment on the quota is there again.',
  'RATE-7': 'Each field that holds one value comes once.',
  'QUOTA-1': 'No more is admitted than the quota allows, however many connections ask at once.',
  'QUOTA-2': 'Nothing is refused that the quota still allows.',
  'QUOTA-4': 'What the quota counts by is counted apart: one neither spends nor blocks the quota of another.',
  'QUOTA-6': 'All that counts against the quota is counted together: nothing opens a fresh one.',
  'QUOTA-8': 'Which limiters explain what was seen, and the most that was admitted in any window.',
  'THROTTLE-1': 'A request over the limit is refused as agreed, at once.',
  'THROTTLE-2': 'A refusal carries Retry-After.',
  'THROTTLE-3': 'Retry-After is written as agreed.',
  'THROTTLE-4': 'Retry-After is honest: whoever stays silent that long is then admitted.',
  'THROTTLE-5': 'Retry-After does not point past the moment at which the quota is there again.',
  'THROTTLE-6': 'A client that waits as told and backs off is never banned, and gets its work done.',
  'THROTTLE-7':
    'A block lasts as long as agreed; of a ban it is told what sets it off, how it shows and how long it lasts.',
  'THROTTLE-8': 'A refusal is not marked as cacheable.',
} as const satisfies Readonly<Partial<Record<ClauseId, string>>>

export type ContractClauseId = keyof typeof sentences

const partOf: Readonly<Partial<Record<ContractClauseId, ShownPart>>> = {
  'RATE-2': 'limit',
  'RATE-3': 'remaining',
  'RATE-4': 'remaining',
  'RATE-5': 'reset',
  'RATE-6': 'reset',
}

/** Fields that hold one value; those of the drafts and lists of policies may well come in several lines. */
const single: ReadonlySet<HeaderField['is']> = new Set(['limit', 'remaining', 'used', 'used/limit', 'reset'])

/** The fields that a clause speaks of. */
const fieldsOf = (contract: ApiContract, id: ContractClauseId): readonly HeaderField[] => {
  const part = partOf[id]
  if (part) return fieldsShowing(contract, part)
  return id === 'RATE-7' ? contract.headers.filter(({ is }) => single.has(is)) : contract.headers
}

/** The level of a clause by its contract; undefined where the contract does not promise what it speaks of. */
export const levelByContract = (contract: ApiContract, id: ContractClauseId): Level | undefined => {
  const { retryAfter, quotas } = contract
  if (id.startsWith('RATE-')) {
    const fields = fieldsOf(contract, id)
    if (fields.length === 0) return undefined
    const level = gravestOf(fields.map((field) => field.level))
    return id === 'RATE-7' ? softened(level) : level
  }
  if (/^THROTTLE-[2345]$/.test(id)) {
    if (retryAfter === null) return undefined
    // That it comes, is kept and is written as agreed is the contract's word; how long it may be, good sense.
    return id === 'THROTTLE-5' ? softened(retryAfter.level) : retryAfter.level
  }
  if (id === 'THROTTLE-8') return 'should'
  if (id === 'QUOTA-8' || (id === 'THROTTLE-7' && agreedBlockMs(contract) === undefined)) return 'observe'
  return gravestOf(quotas.map(({ level }) => level))
}

/** What the standards and good sense ask for is no more than `should`, whatever else is promised. */
const softened = (level: Level): Level => (level === 'must' ? 'should' : level)

/** What a clause asks for in the words of any API. */
export const contractSentence = (id: ContractClauseId): string => sentences[id]

/** The clauses that a target is held to by its contract file, in their order. */
export const clausesOfContract = (contract: ApiContract): ContractClause[] =>
  (Object.keys(sentences) as ContractClauseId[]).flatMap((id) => {
    const level = levelByContract(contract, id)
    return level === undefined ? [] : [{ ...clauseOf(id), level, source: contract.name, sentence: sentences[id] }]
  })
