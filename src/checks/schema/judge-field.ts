import type { z } from 'zod'
import type { Exchange } from '../../evidence/exchange.js'
import { isJsonObject, type Json, writeJson } from '../../kit/lossless-json.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { isListing, shownEntries } from '../listed-pets.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'entry-is-no-object': { value: string }
    'inventory-empty': Record<never, never>
    'field-missing': { field: string }
    'field-invalid': { field: string; value: string }
  }
}

const short = (value: Json): string => writeJson(value).slice(0, 60)

const breachOf = (entry: Json, field: string, schema: z.ZodType) => {
  if (!isJsonObject(entry)) return { code: 'entry-is-no-object', facts: { value: short(entry) } } as const
  if (!Object.hasOwn(entry, field)) return { code: 'field-missing', facts: { field } } as const
  if (schema.safeParse(entry[field]).success) return undefined
  return { code: 'field-invalid', facts: { field, value: short(entry[field]) } } as const
}

/** Holds one field of every entry that the target showed against its schema. */
export const judgeField = (exchanges: readonly Exchange[], field: string, schema: z.ZodType): Finding<FindingCode> => {
  const entries = shownEntries(exchanges)
  const breaches = entries.flatMap(({ x, entry }) => {
    const found = breachOf(entry, field, schema)
    return found ? [{ found, x }] : []
  })
  const [first] = breaches
  if (first) {
    const facts = { ...first.found.facts, others: breaches.length - 1 }
    return fail(first.found.code, facts as never, ...new Set(breaches.map(({ x }) => x)))
  }
  if (entries.length === 0 && exchanges.some(isListing)) return notTested('inventory-empty', {})
  if (entries.length === 0) return inconclusive('nothing-to-judge', { wanted: 'an entry of the inventory' })
  return pass('held', { examined: entries.length }, ...new Set(entries.slice(0, 3).map(({ x }) => x)))
}
