import type { z } from 'zod'
import type { Evidence } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'
import { isJsonObject, type Json, writeJson } from '../../../kit/lossless-json.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import { entriesIn, isListing, isUpdated } from '../../readings/listed-pets.js'
import { updatingProbes } from '../asking-probes.js'
import { fail, notTested } from '../finding.js'
import { concluded, type Kinds, type Need, tellingCases } from '../needs.js'

declare module '../../../verdict/verdict.js' {
  interface FindingFacts {
    'entry-is-no-object': { value: string }
    'inventory-empty': Record<never, never>
    'field-missing': { field: string }
    'field-invalid': { field: string; value: string }
  }
}

/** What a pass takes of each of the three fields. */
export const fieldNeeds: Need = { cases: 'entries of the inventory', least: 1 }

const kinds = ({ run }: Evidence): Kinds => ({
  'a list': [],
  'an update': run.readOnly ? 'withheld' : updatingProbes,
})

const short = (value: Json): string => writeJson(value).slice(0, 60)

const breachOf = (entry: Json, field: string, schema: z.ZodType) => {
  if (!isJsonObject(entry)) return { code: 'entry-is-no-object', facts: { value: short(entry) } } as const
  if (!Object.hasOwn(entry, field)) return { code: 'field-missing', facts: { field } } as const
  if (schema.safeParse(entry[field]).success) return undefined
  return { code: 'field-invalid', facts: { field, value: short(entry[field]) } } as const
}

/** Holds one field of every entry that the target showed against its schema. */
export const judgeField = (evidence: Evidence, field: string, schema: z.ZodType): Finding<FindingCode> => {
  const showing = evidence.exchanges.filter((x): x is Answered => isListing(x) || isUpdated(x))
  const telling = tellingCases()
  const breaches: { found: NonNullable<ReturnType<typeof breachOf>>; x: Answered }[] = []
  let leftOut = 0
  let isEmpty = false
  for (const x of showing) {
    const entries = entriesIn(x)
    if (!entries) leftOut += 1
    isEmpty ||= isListing(x) && entries?.length === 0
    for (const entry of entries ?? []) {
      const found = breachOf(entry, field, schema)
      if (found) breaches.push({ found, x })
      else telling.add(x, isListing(x) ? 'a list' : 'an update')
    }
  }
  const [first] = breaches
  if (first) {
    const facts = { ...first.found.facts, others: breaches.length - 1 }
    return fail(first.found.code, facts as never, ...new Set(breaches.map(({ x }) => x)))
  }
  if (isEmpty && telling.count === 0) return notTested('inventory-empty', {})
  return concluded(evidence, fieldNeeds, telling, { kinds: kinds(evidence), leftOut })
}
