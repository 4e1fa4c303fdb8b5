import type { z } from 'zod'
import { isWhole, jsonOf } from '../../checks/framework/answers.js'
import { type Advice, defineCheck, type Promised } from '../../checks/framework/check.js'
import { type Broken, breach, fail, notTested, observed, type SentencesOf } from '../../checks/framework/finding.js'
import { judgeCases, unlessUnread } from '../../checks/framework/judge-cases.js'
import { eachOf, type Kinds, type TellingCases, updatingProbes } from '../../checks/framework/needs.js'
import { exactDoubleLimit, integer, petId, petStatus } from '../../contract/petstore/schemas.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Answered, Exchange } from '../../evidence/exchange.js'
import { isJsonObject, type Json, writeJson } from '../../kit/json.js'
import { onceFor } from '../../kit/once-for.js'
import type { Witness } from '../../kit/witness.js'
import { listInWords } from '../../kit/words.js'
import { elementsOf, idTwice, isListing, isUpdated, loadedLists, readPetId } from '../listed-pets.js'

const fieldKinds = ({ run }: Evidence): Kinds => ({
  'a list': [],
  'an update': run.readOnly ? 'withheld' : updatingProbes,
})

const showsEntries = (x: Exchange): x is Answered => isListing(x) || isUpdated(x)

const short = (value: Json): string => writeJson(value).slice(0, 60)

const breachOf = (entry: Json, field: string, schema: z.ZodType) => {
  if (!isJsonObject(entry)) return breach('entry-is-no-object', { value: short(entry) })
  if (!Object.hasOwn(entry, field)) return breach('field-missing', { field })
  if (schema.safeParse(entry[field]).success) return undefined
  return breach('field-invalid', { field, value: short(entry[field]) })
}

/** A shown entry, and the answer that shows it; without an entry if the answer could not be read. */
interface Shown {
  readonly kind: 'a list' | 'an update' | 'a list in a load'
  readonly witness: Witness
  readonly entry?: Json
}

/** The entries that a list or an update shows; undefined if it can't be read. */
const entriesIn = (x: Answered): readonly Json[] | undefined => {
  if (isListing(x)) return elementsOf(x)
  const reading = isWhole(x) ? jsonOf(x) : undefined
  return reading?.ok ? [reading.value] : undefined
}

/** The answers that show entries, and what they and the lists in loads show: each field's check looks at the same. */
const shownIn = onceFor((evidence: Evidence) => {
  const showing = evidence.exchanges.filter(showsEntries)
  const single = showing.flatMap((x): Shown[] => {
    const shown = { kind: isListing(x) ? 'a list' : 'an update', witness: x } as const
    return entriesIn(x)?.map((entry) => ({ ...shown, entry })) ?? [shown]
  })
  const inLoads = loadedLists(evidence).flatMap(({ value, witness }): Shown[] =>
    Array.isArray(value) ? value.map((entry) => ({ kind: 'a list in a load', witness, entry })) : [],
  )
  return { showing, single, all: [...single, ...inLoads] }
})

/** Checks one field of every entry that the target showed against its schema. */
const judgeField = (evidence: Evidence, telling: TellingCases, field: string, schema: z.ZodType) => {
  // Most answers show the same entries again.
  const looked = new Map<Json, ReturnType<typeof breachOf>>()
  const breachIn = (entry: Json) => {
    if (!looked.has(entry)) looked.set(entry, breachOf(entry, field, schema))
    return looked.get(entry)
  }
  const { showing, single, all } = shownIn(evidence)
  // Of the many lists in loads a few are kept: they may show a breach, and do not tell that there is none.
  const look = ({ kind, entry }: Shown) =>
    entry === undefined ? 'left-out' : (breachIn(entry) ?? (kind === 'a list in a load' ? 'skip' : undefined))
  const isEmpty = showing.some((x) => isListing(x) && entriesIn(x)?.length === 0)
  if (isEmpty && single.every(({ entry }) => entry === undefined)) return notTested('inventory-empty', {})
  const found = judgeCases(telling, all, look, {
    kinds: fieldKinds(evidence),
    kindOf: ({ kind }) => kind,
    witnessOf: ({ witness }) => witness,
  })
  return unlessUnread(found, showing)
}

const fieldSentences = {
  'entry-is-no-object': ({ value }) => `an entry of the inventory is ${value}, not an object`,
  'field-missing': ({ field }) => `an entry of the inventory has no ${field}`,
  'field-invalid': ({ field, value }) => `an entry of the inventory has ${value} as ${field}`,
} satisfies SentencesOf<Broken<ReturnType<typeof breachOf>>>

const fieldCheck = (
  field: string,
  schema: z.ZodType,
  row: Pick<Promised, 'id' | 'promise' | 'clauses'> & { readonly advice: Advice },
) =>
  defineCheck({
    ...row,
    alone: [updatingProbes],
    needs: { cases: 'entries of the inventory' },
    judge: (evidence, telling) => judgeField(evidence, telling, field, schema),
    sentences: fieldSentences,
  })

export const petIdField = fieldCheck('petId', petId, {
  id: 'schema.pet-id',
  promise: 'Every entry has a petId, an integer within int64.',
  clauses: ['SCHEMA-1'],
  advice: 'Check how an entry is serialized: petId must be there, as an integer.',
})

export const quantityField = fieldCheck('quantity', integer, {
  id: 'schema.quantity',
  promise: 'Every entry has a quantity, an integer.',
  clauses: ['SCHEMA-2'],
  advice: 'Check how an entry is serialized: quantity must be there, as an integer.',
})

export const statusField = fieldCheck('status', petStatus, {
  id: 'schema.status',
  promise: 'Every entry has a status: available, pending or sold.',
  clauses: ['SCHEMA-3'],
  advice: 'Check how an entry is serialized: status must be available, pending or sold, as spelt here.',
})

const knownFields = new Set(['petId', 'quantity', 'status'])

/** Every inventory entry that the target showed: the elements of its lists, and the answers of its updates. */
const shownEntries = (exchanges: readonly Exchange[]): { readonly x: Answered; readonly entry: Json }[] =>
  exchanges.filter(showsEntries).flatMap((x) => (entriesIn(x) ?? []).map((entry) => ({ x, entry })))

export const furtherFields = defineCheck({
  id: 'schema.further-fields',
  promise: 'The report lists fields of an entry beyond the three that are defined.',
  clauses: ['SCHEMA-4'],
  alone: [],
  judge({ exchanges }) {
    const entries = shownEntries(exchanges)
    if (entries.length === 0) return notTested('inventory-empty', {})
    const names = entries.flatMap(({ entry }) => (isJsonObject(entry) ? Object.keys(entry) : []))
    const fields = [...new Set(names)].filter((name) => !knownFields.has(name)).sort()
    return observed('further-fields', { fields: fields.slice(0, 20) }, entries[0].x)
  },
  sentences: {
    'further-fields': ({ fields }) =>
      fields.length === 0
        ? 'entries have the three defined fields only'
        : `entries have further fields: ${listInWords(fields)}`,
  },
})

/** Whether the id may have passed through a double: 2^53 is what becomes of 2^53 + 1. */
const isLargeId = (id: bigint): boolean => id >= exactDoubleLimit || id <= -exactDoubleLimit

/** Whether a double can't hold the id: if it is shown like that, it was not rounded. */
const isNoDouble = (id: bigint): boolean => BigInt(Number(id)) !== id

export const largeIds = defineCheck({
  id: 'schema.large-ids',
  promise: 'A petId above 2^53 keeps every digit: no two entries show the same one, and an update shows the one asked.',
  clauses: ['SCHEMA-1'],
  advice: 'Check how ids are read and written: above 2^53 they lose digits in a double.',
  alone: eachOf('read-write-read', 'neighbour-ids'),
  needs: { cases: 'ids above 2^53 that a double would round' },
  judge(evidence, telling) {
    const { exchanges } = evidence
    for (const x of exchanges.filter(isListing)) {
      const twice = idTwice(elementsOf(x), isLargeId)
      if (twice !== undefined) return fail('large-id-twice', { petId: String(twice) }, x)
    }
    for (const { x, entry } of shownEntries(exchanges)) {
      const shown = readPetId(entry)
      if (shown === undefined) continue
      if (isNoDouble(shown)) telling.add(x)
      if (x.operation !== 'updateInventory') continue
      const asked = BigInt(/^-?\d+$/.test(x.intent.petId ?? '') ? x.intent.petId : 0)
      // A completely different id is INV-3's matter; here only digits that a double would lose.
      if (isLargeId(asked) && shown !== asked && Number(shown) === Number(asked))
        return fail('large-id-changed', { asked: String(asked), shown: String(shown) }, x)
    }
    const showing = exchanges.filter(showsEntries)
    const leftOut = showing.filter((x) => entriesIn(x) === undefined).length
    if (telling.count === 0 && leftOut < showing.length) return notTested('no-id-to-round', {})
    return telling.conclude({ leftOut })
  },
  sentences: {
    'large-id-twice': ({ petId }) => `two entries of one list show the petId ${petId}: digits above 2^53 are lost`,
    'no-id-to-round': () => 'no pet has an id above 2^53 that a double would round',
    'large-id-changed': (f) =>
      `a PATCH of ${f.asked} was answered with the petId ${f.shown}: digits above 2^53 are lost`,
  },
})
