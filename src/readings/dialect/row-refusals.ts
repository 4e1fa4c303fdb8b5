import type { ApiContract, RefusalRule } from '../../contract/api-contract.js'
import type { HeaderLine } from '../../evidence/exchange.js'
import { type LedgerWriter, ledgerFlags } from '../../evidence/ledger.js'
import { fitsHeaders, namesStatus, refusalRules } from './refusals.js'

/** Looks at bodies, where heads alone do not tell what an answer was. */
export interface BodyReader {
  /** Whether the body of this answer has to be looked at. */
  wants(ledger: LedgerWriter, row: number, raw: readonly string[]): boolean
  /** Writes what the body says into the row; `isWhole` is false where there is more of it, or it can't be read. */
  read(ledger: LedgerWriter, row: number, raw: readonly string[], content: Buffer, isWhole: boolean): void
}

/** Tells refusals in the rows of loads, as {@link refusalOf} does for single answers. */
export interface RowRefusals {
  /** Flags a row, by its status and the raw list of names and values in turn; not where the body decides. */
  head(ledger: LedgerWriter, row: number, raw: readonly string[]): void
  /** Absent where no rule speaks of bodies. */
  readonly body?: BodyReader
}

interface Rule extends RefusalRule {
  readonly hasHeaders: boolean
  /** The bytes that the body has to hold. */
  readonly needle: Buffer | undefined
}

const linesOf = (raw: readonly string[]): HeaderLine[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]])

const flagOf = ({ is }: RefusalRule): number => (is === 'ban' ? ledgerFlags.bannedByRule : ledgerFlags.refusedByRule)

/** The rule that a body decides for; `unsure` where another may have held in what is missing of it. */
const ruleOf = (rules: readonly Rule[], content: Buffer, isWhole: boolean): Rule | 'unsure' | undefined => {
  let missed: Rule | undefined
  for (const rule of rules) {
    if (!rule.needle || content.includes(rule.needle)) return missed && missed.is !== rule.is ? 'unsure' : rule
    if (!isWhole) missed = rule
  }
  return missed && 'unsure'
}

/** Made once for a load, from the rules of its contract. */
export const rowRefusals = (contract: Pick<ApiContract, 'refusals'>): RowRefusals => {
  const rules = refusalRules(contract).map((rule): Rule => {
    const needle = rule.body === undefined ? undefined : Buffer.from(rule.body)
    return { ...rule, hasHeaders: Object.keys(rule.when).length > 0, needle }
  })
  const fitsHead = (rule: Rule, status: number, raw: readonly string[]): boolean =>
    namesStatus(rule, status) && (!rule.hasHeaders || fitsHeaders(rule, linesOf(raw)))
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
