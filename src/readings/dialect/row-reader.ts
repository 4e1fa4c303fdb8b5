import type { ApiContract, HeaderField, QuotaSpec } from '../../contract/api-contract.js'
import { type LedgerWriter, ledgerFlags } from '../../evidence/ledger.js'
import { decimalIn } from '../../kit/decimal.js'
import { parseHttpDate } from '../../kit/http-date.js'
import type { NumberHeader } from '../header-values.js'
import { mayList } from './answer-policies.js'
import { fieldsByName } from './named-fields.js'
import { type ResetReading, resetUnitReaders } from './plain-values.js'
import { limitReader } from './read-limits.js'
import { type BodyReader, rowRefusals } from './row-refusals.js'

/** Reads the answers of a load into its ledger. */
export interface RowReader {
  /**
   * Writes what an answer's head says into its row, whose status is there already, from the raw list of names and
   * values in turn: limit, remaining, reset and Retry-After as numbers, NaN where absent, Infinity where malformed.
   */
  readonly readHead: (ledger: LedgerWriter, row: number, raw: readonly string[]) => void
  /** Absent where no rule of the contract speaks of bodies. */
  readonly readBody?: BodyReader
}

/** A field that is looked for, and what the answer at hand says in it. */
interface Slot {
  /** In lower case. */
  readonly name: string
  readonly fields: readonly HeaderField[]
  readonly isStructured: boolean
  /** Turns the whole text into a number where it is as simple as it mostly is; NaN for all else. */
  readonly quick: (text: string) => number
  readonly quickColumn: 'limit' | 'remaining' | 'reset' | undefined
  readonly quickFlags: number
  /** As the target spelt it last: the next answer most probably does so too. */
  spelling: string
  first: string
  times: number
  more: string[]
}

const structured: ReadonlySet<HeaderField['is']> = new Set([
  'policy',
  'draft-07',
  'draft-07-policy',
  'draft-11',
  'draft-11-policy',
])

const quickOf = (fields: readonly HeaderField[]): Pick<Slot, 'quick' | 'quickColumn' | 'quickFlags'> => {
  const [{ is, as = 'epoch-s' }] = fields
  const none = { quick: () => Number.NaN, quickColumn: undefined, quickFlags: 0 }
  if (fields.length > 1) return none
  if (is === 'limit' || is === 'remaining') {
    return { quick: (text) => decimalIn(text) ?? Number.NaN, quickColumn: is, quickFlags: 0 }
  }
  if (is !== 'reset') return none
  const { seconds, from } = resetUnitReaders[as]
  const quickFlags = from === 'now' ? ledgerFlags.resetFromNow : 0
  return { quick: (text) => seconds(text) ?? Number.NaN, quickColumn: 'reset', quickFlags }
}

const slotsOf = (headers: ApiContract['headers']): Slot[] =>
  fieldsByName(headers).map(({ name, fields }) => ({
    name,
    fields,
    isStructured: fields.some((each) => structured.has(each.is) || mayList(each)),
    ...quickOf(fields),
    spelling: name,
    first: '',
    times: 0,
    more: [],
  }))

const retryAfterName = 'retry-after'

/** Slots by the length of their names: looking at that first is far faster, for most headers have another one. */
const byLengthOf = (slots: readonly Slot[]): readonly (readonly Slot[])[] => {
  const longest = Math.max(retryAfterName.length, ...slots.map(({ name }) => name.length))
  return Array.from({ length: longest + 1 }, (_, length) => slots.filter(({ name }) => name.length === length))
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
  const digits = /^\d+$/.test(text)
  const dateMs = digits ? undefined : parseHttpDate(text)
  if (dateMs !== undefined) columns.flags[row] |= ledgerFlags.retryAfterIsDate
  columns.retryAfter[row] = digits ? Number(text) : dateMs === undefined ? Number.POSITIVE_INFINITY : dateMs / 1000
}

/** Writes answers whose fields are all one number each, once; false for any other, which is then to be read in full. */
const writeQuickly = (slots: readonly Slot[], { columns }: LedgerWriter, row: number): boolean => {
  for (const slot of slots) {
    if (slot.times === 0) continue
    const value = slot.times === 1 && slot.quickColumn ? slot.quick(slot.first) : Number.NaN
    if (!slot.quickColumn || Number.isNaN(value)) return false
    const column = columns[slot.quickColumn]
    // Of several names for one thing the first decides.
    if (!Number.isNaN(column[row])) continue
    column[row] = value
    columns.flags[row] |= slot.quickFlags
  }
  return true
}

const cellOf = (reading: NumberHeader | ResetReading): number => {
  if (reading.state === 'absent') return Number.NaN
  return reading.state === 'number' ? reading.value : Number.POSITIVE_INFINITY
}

const isRepeated = ({ isStructured, fields, first, times }: Slot): boolean =>
  !isStructured && (times > 1 || (times === 1 && first.includes(',') && fields.every(({ as }) => as !== 'http-date')))

/**
 * Made once for a load. It runs for each of a million answers: only the contract's own fields are looked at, and what
 * is as simple as it mostly is takes no allocation. All else is read as {@link limitReader} reads single answers.
 */
export const rowReader = (
  contract: Pick<ApiContract, 'headers' | 'retryAfter' | 'refusals'>,
  quota: QuotaSpec,
): RowReader => {
  const slots = slotsOf(contract.headers)
  const byLength = byLengthOf(slots)
  const readInFull = limitReader(contract, quota)
  const refusals = rowRefusals(contract)
  const byName = new Map(slots.map((slot) => [slot.name, slot]))
  const valuesOf = (name: string): readonly string[] => {
    const slot = byName.get(name)
    return slot && slot.times > 0 ? [slot.first, ...slot.more].map((value) => value.trim()) : []
  }

  const collect = (ledger: LedgerWriter, row: number, raw: readonly string[]): void => {
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at]
      const { length } = name
      if (length >= byLength.length) continue
      for (const slot of byLength[length]) if (isCalled(slot, name)) take(slot, raw[at + 1])
      if (length !== retryAfterName.length || contract.retryAfter === null) continue
      if (name.toLowerCase() === retryAfterName) keepRetryAfter(ledger, row, raw[at + 1])
    }
  }

  const writeInFull = ({ columns }: LedgerWriter, row: number): void => {
    const { limit, remaining, reset } = readInFull(valuesOf)
    columns.limit[row] = cellOf(limit)
    columns.remaining[row] = cellOf(remaining)
    columns.reset[row] = cellOf(reset)
    columns.flags[row] &= ~ledgerFlags.resetFromNow
    if (reset.state === 'number' && reset.from === 'now') columns.flags[row] |= ledgerFlags.resetFromNow
    if (slots.some(isRepeated)) columns.flags[row] |= ledgerFlags.duplicateHeader
  }

  const readHead: RowReader['readHead'] = (ledger, row, raw) => {
    for (const slot of slots) {
      slot.times = 0
      if (slot.more.length > 0) slot.more = []
    }
    collect(ledger, row, raw)
    if (!writeQuickly(slots, ledger, row)) writeInFull(ledger, row)
    refusals.head(ledger, row, raw)
  }
  return refusals.body ? { readHead, readBody: refusals.body } : { readHead }
}
