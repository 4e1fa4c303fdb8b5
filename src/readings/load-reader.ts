import { type ApiContract, type HeaderField, mayRepeat, type RefusalRule, waitName } from '../contract/api-contract.js'
import { atScale, contractForQuota } from '../contract/partitions.js'
import { petstore } from '../contract/petstore/petstore.js'
import { type HeaderLine, headerLines } from '../evidence/exchange.js'
import {
  type BodyReader,
  type LedgerWriter,
  type LoadReading,
  ledgerFlags,
  type RowReader,
} from '../evidence/ledger.js'
import { parseHttpDate } from '../kit/http-date.js'
import { type FieldsOfContract, limitReader } from './answers.js'
import { cellOf, fieldsByName, numberIn, resetUnitReaders, waitSecondsIn } from './limit-values.js'
import { mayList, type PolicyOwner } from './policies.js'
import { fitsHeaders, namesStatus, refusalRules, statusOfRow } from './refusals.js'

/** Recognises refusals in the rows of loads, as {@link refusalOf} does for single answers. */
interface RowRefusals {
  /** Flags a row by its status and its raw list of alternating names and values; leaves it if the body decides. */
  head(ledger: LedgerWriter, row: number, raw: readonly string[]): void
  /** Absent if no rule concerns bodies. */
  readonly body?: BodyReader
}

interface Rule extends RefusalRule {
  readonly hasHeaders: boolean
  /** The bytes that the body must contain. */
  readonly needle: Buffer | undefined
}

const flagOf = ({ is }: RefusalRule): number => (is === 'ban' ? ledgerFlags.bannedByRule : ledgerFlags.refusedByRule)

/** The rule that fits a body; `unsure` if the missing part of the body could have matched another. */
const ruleOf = (rules: readonly Rule[], content: Buffer, isWhole: boolean): Rule | 'unsure' | undefined => {
  let missed: Rule | undefined
  for (const rule of rules) {
    if (!rule.needle || content.includes(rule.needle)) return missed && missed.is !== rule.is ? 'unsure' : rule
    if (!isWhole) missed = rule
  }
  return missed && 'unsure'
}

/** Made once per load, from the rules of its contract. */
const rowRefusals = (contract: Pick<ApiContract, 'refusals'>): RowRefusals => {
  const rules = refusalRules(contract).map((rule): Rule => {
    const needle = rule.body === undefined ? undefined : Buffer.from(rule.body)
    return { ...rule, hasHeaders: Object.keys(rule.when).length > 0, needle }
  })
  const fitsHead = (rule: Rule, status: number, raw: readonly string[]): boolean =>
    namesStatus(rule, status) && (!rule.hasHeaders || fitsHeaders(rule, headerLines(raw)))
  const first = ({ columns }: LedgerWriter, row: number, raw: readonly string[]): Rule | undefined => {
    const status = columns.status[row]
    for (const rule of rules) if (fitsHead(rule, status, raw)) return rule
    return undefined
  }
  const head: RowRefusals['head'] = (ledger, row, raw) => {
    const rule = first(ledger, row, raw)
    if (rule && !rule.needle) ledger.columns.flags[row] |= flagOf(rule)
  }
  if (rules.every(({ needle }) => !needle)) return { head }
  const read: BodyReader['read'] = ({ columns }, row, raw, content, isWhole) => {
    const fitting = rules.filter((rule) => fitsHead(rule, columns.status[row], raw))
    const rule = ruleOf(fitting, content, isWhole)
    if (rule) columns.flags[row] |= rule === 'unsure' ? ledgerFlags.unruled : flagOf(rule)
  }
  return { head, body: { wants: (ledger, row, raw) => first(ledger, row, raw)?.needle !== undefined, read } }
}

/** Reads a text quickly as a number if it is as simple as usual, else gives NaN; and the column it goes to. */
interface Quick {
  readonly quick: (text: string) => number
  readonly quickColumn: 'limit' | 'remaining' | 'reset' | undefined
  readonly quickFlags: number
}

const quickOf = (fields: readonly HeaderField[]): Quick => {
  const [{ is, as = 'epoch-s' }] = fields
  const none = { quick: () => Number.NaN, quickColumn: undefined, quickFlags: 0 }
  if (fields.length > 1) return none
  if (is === 'limit' || is === 'remaining')
    return { quick: (text) => numberIn(text) ?? Number.NaN, quickColumn: is, quickFlags: 0 }
  if (is !== 'reset') return none
  const { from, perSecond, read } = resetUnitReaders[as]
  const quickFlags = from === 'now' ? ledgerFlags.resetFromNow : 0
  return { quick: (text) => (read(text) ?? Number.NaN) / perSecond, quickColumn: 'reset', quickFlags }
}

const slotsOf = (headers: ApiContract['headers']) =>
  fieldsByName(headers).map(({ name, fields }) => ({
    name,
    fields,
    isStructured: fields.some((each) => mayRepeat(each) || mayList(each)),
    ...quickOf(fields),
    /** The target's last spelling: the next answer most probably uses it too. */
    spelling: name,
    first: '',
    times: 0,
    more: [] as string[],
  }))

/** A field to look for, and its values in the current answer. */
type Slot = ReturnType<typeof slotsOf>[number]

/** Slots by the length of their names: checking that first is far faster, since most headers have another length. */
const byLengthOf = (slots: readonly Slot[], wait: string): readonly (readonly Slot[] | undefined)[] => {
  const longest = Math.max(wait.length, ...slots.map(({ name }) => name.length))
  return Array.from({ length: longest + 1 }, (_, length) => {
    const fitting = slots.filter(({ name }) => name.length === length)
    return fitting.length > 0 || length === wait.length ? fitting : undefined
  })
}

const isCalled = (slot: Slot, name: string): boolean => {
  if (slot.spelling === name) return true
  if (slot.name !== name.toLowerCase()) return false
  slot.spelling = name
  return true
}

const take = (slot: Slot, value: string): void => {
  slot.times += 1
  if (slot.times === 1) slot.first = value
  else slot.more.push(value)
}

const keepRetryAfter = ({ columns }: LedgerWriter, row: number, given: string): void => {
  if (!Number.isNaN(columns.retryAfter[row])) {
    columns.flags[row] |= ledgerFlags.duplicateHeader
    return
  }
  const text = given.trim()
  const seconds = waitSecondsIn(text)
  const dateMs = seconds === undefined ? parseHttpDate(text) : undefined
  if (dateMs !== undefined) columns.flags[row] |= ledgerFlags.retryAfterIsDate
  columns.retryAfter[row] = seconds ?? (dateMs === undefined ? Number.POSITIVE_INFINITY : dateMs / 1000)
}

/** Writes answers whose fields are all a single number; returns false for any other, which must be read in full. */
const writeQuickly = (slots: readonly Slot[], { columns }: LedgerWriter, row: number): boolean => {
  for (const slot of slots) {
    if (slot.times === 0) continue
    if (!slot.quickColumn || slot.times > 1) return false
    const value = slot.quick(slot.first)
    if (Number.isNaN(value)) return false
    const column = columns[slot.quickColumn]
    // If several names mean one thing, the first decides.
    if (!Number.isNaN(column[row])) continue
    column[row] = value
    columns.flags[row] |= slot.quickFlags
  }
  return true
}

const isRepeated = ({ isStructured, fields, first, times }: Slot): boolean =>
  !isStructured &&
  (times > 1 ||
    (times === 1 && first.includes(',') && fields.every(({ as, single }) => as !== 'http-date' && single !== true)))

/**
 * Reads limits and waits from the heads of a load's answers. Made once per load, and run for each of a million answers: it
 * looks only at the contract's own fields, and allocates nothing for simple ones. All else is read as {@link limitReader}
 * reads single answers.
 */
export const headReader = (
  contract: FieldsOfContract & Pick<ApiContract, 'retryAfter'>,
  owner: PolicyOwner,
): RowReader['readHead'] => {
  const slots = slotsOf(contract.headers)
  const wait = waitName(contract).toLowerCase()
  const byLength = byLengthOf(slots, wait)
  const namesWaits = contract.retryAfter !== null
  const readInFull = limitReader(contract, owner)
  const linesSeen = (): HeaderLine[] =>
    slots.flatMap(({ name, times, first, more }) =>
      times > 0 ? [first, ...more].map((value): HeaderLine => [name, value]) : [],
    )

  const collect = (ledger: LedgerWriter, row: number, raw: readonly string[]): void => {
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at]
      const fitting = name.length < byLength.length ? byLength[name.length] : undefined
      if (!fitting) continue
      for (let i = 0; i < fitting.length; i += 1) if (isCalled(fitting[i], name)) take(fitting[i], raw[at + 1])
      if (name.length !== wait.length || !namesWaits) continue
      if (name.toLowerCase() === wait) keepRetryAfter(ledger, row, raw[at + 1])
    }
  }

  const writeInFull = ({ columns }: LedgerWriter, row: number): void => {
    const { limit, remaining, reset, showsAnother = false } = readInFull(linesSeen())
    columns.limit[row] = cellOf(limit)
    columns.remaining[row] = cellOf(remaining)
    columns.reset[row] = cellOf(reset)
    columns.flags[row] &= ~ledgerFlags.resetFromNow
    if (reset.state === 'number' && reset.from === 'now') columns.flags[row] |= ledgerFlags.resetFromNow
    if (showsAnother) columns.flags[row] |= ledgerFlags.showsAnother
    if (slots.some(isRepeated)) columns.flags[row] |= ledgerFlags.duplicateHeader
  }

  const showAnother = ({ columns }: LedgerWriter, row: number, limit = Number.NaN): void => {
    columns.limit[row] = limit
    columns.remaining[row] = Number.NaN
    columns.reset[row] = Number.NaN
    columns.flags[row] = (columns.flags[row] & ~ledgerFlags.resetFromNow) | ledgerFlags.showsAnother
  }

  return (ledger, row, raw) => {
    for (const slot of slots) {
      slot.times = 0
      if (slot.more.length > 0) slot.more = []
    }
    collect(ledger, row, raw)
    if (!writeQuickly(slots, ledger, row)) writeInFull(ledger, row)
    else if (contract.areOfAnyQuota) showAnother(ledger, row, ledger.columns.limit[row])
    else if (contract.limitsBeside?.has(ledger.columns.limit[row])) showAnother(ledger, row)
  }
}

export const rowReader = (
  contract: FieldsOfContract & Pick<ApiContract, 'retryAfter' | 'refusals'>,
  owner: PolicyOwner,
): RowReader => {
  const readLimits = headReader(contract, owner)
  const refusals = rowRefusals(contract)
  const readHead: RowReader['readHead'] = (ledger, row, raw) => {
    readLimits(ledger, row, raw)
    refusals.head(ledger, row, raw)
  }
  return refusals.body ? { readHead, readBody: refusals.body } : { readHead }
}

/**
 * How to read answers to a load for one quota of a contract; without a quota, as for the bundled contract.
 *
 * @param request the request that the load sends, by its name in the contract.
 */
export const loadReading = (
  contract: ApiContract = petstore,
  timeScale: number,
  { quota, request }: { readonly quota: string | null; readonly request: string | null },
): LoadReading => {
  const spec = contract.quotas.find(({ id }) => id === quota)
  if (!spec) return { readHead: headReader(contract, contract.quotas[0]), statusOf: ({ status }) => status }
  const asked = contract.requests[request ?? spec.requests[0]]
  return {
    ...rowReader(contractForQuota(contract, spec), atScale(spec, timeScale)),
    statusOf: (row) => statusOfRow(row, asked),
  }
}
