import type { z } from 'zod'
import type { Advice } from '../../checks/framework/advice.js'
import { updatingProbes } from '../../checks/framework/asking-probes.js'
import { defineCheck, type Promised } from '../../checks/framework/check.js'
import { type Broken, breach, notTested } from '../../checks/framework/finding.js'
import { judgeCases } from '../../checks/framework/judge-cases.js'
import type { Kinds, Need } from '../../checks/framework/needs.js'
import type { SentencesOf } from '../../checks/framework/sentences.js'
import { integer, petId, petStatus } from '../../contract/petstore/schemas.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Answered } from '../../evidence/exchange.js'
import { isJsonObject, type Json, writeJson } from '../../kit/lossless-json.js'
import { entriesIn, isListing, isUpdated } from '../readings/listed-pets.js'

/** What a pass takes of each of the three fields. */
const fieldNeeds: Need = { cases: 'entries of the inventory', least: 1 }

const fieldKinds = ({ run }: Evidence): Kinds => ({
  'a list': [],
  'an update': run.readOnly ? 'withheld' : updatingProbes,
})

const short = (value: Json): string => writeJson(value).slice(0, 60)

const breachOf = (entry: Json, field: string, schema: z.ZodType) => {
  if (!isJsonObject(entry)) return breach('entry-is-no-object', { value: short(entry) })
  if (!Object.hasOwn(entry, field)) return breach('field-missing', { field })
  if (schema.safeParse(entry[field]).success) return undefined
  return breach('field-invalid', { field, value: short(entry[field]) })
}

/** An entry that was shown, and by what; no entry where what should show it could not be read. */
interface Shown {
  readonly x: Answered
  readonly entry?: Json
}

/** Holds one field of every entry that the target showed against its schema. */
const judgeField = (evidence: Evidence, field: string, schema: z.ZodType) => {
  const showing = evidence.exchanges.filter((x): x is Answered => isListing(x) || isUpdated(x))
  const shown = showing.flatMap((x): Shown[] => entriesIn(x)?.map((entry) => ({ x, entry })) ?? [{ x }])
  const look = ({ entry }: Shown) => (entry === undefined ? 'left-out' : breachOf(entry, field, schema))
  const isEmpty = showing.some((x) => isListing(x) && entriesIn(x)?.length === 0)
  if (isEmpty && shown.every(({ entry }) => entry === undefined)) return notTested('inventory-empty', {})
  return judgeCases(evidence, shown, fieldNeeds, look, {
    kinds: fieldKinds(evidence),
    kindOf: ({ x }) => (isListing(x) ? 'a list' : 'an update'),
    witnessOf: ({ x }) => x,
  })
}

const fieldSentences = {
  'entry-is-no-object': ({ value }) => `an entry of the inventory is ${value}, no object`,
  'field-missing': ({ field }) => `an entry of the inventory has no ${field}`,
  'field-invalid': ({ field, value }) => `an entry of the inventory has ${value} as ${field}`,
} satisfies SentencesOf<Broken<ReturnType<typeof breachOf>>>

/** A check that each entry which is shown has the field, as its schema has it. */
const fieldCheck = (
  field: string,
  schema: z.ZodType,
  row: Pick<Promised, 'id' | 'promise' | 'clauses'> & { readonly advice: Advice },
) =>
  defineCheck({
    ...row,
    reads: 'everything',
    alone: [updatingProbes],
    needs: fieldNeeds,
    judge: (evidence) => judgeField(evidence, field, schema),
    sentences: fieldSentences,
  })

export const petIdField = fieldCheck('petId', petId, {
  id: 'schema.pet-id',
  promise: 'petId is there in every entry, and an integer within int64.',
  clauses: ['SCHEMA-1'],
  advice: 'Look at how an entry is serialized: petId has to be there, as an integer.',
})

export const quantityField = fieldCheck('quantity', integer, {
  id: 'schema.quantity',
  promise: 'quantity is there in every entry, and an integer.',
  clauses: ['SCHEMA-2'],
  advice: 'Look at how an entry is serialized: quantity has to be there, as an integer.',
})

export const statusField = fieldCheck('status', petStatus, {
  id: 'schema.status',
  promise: 'status is there in every entry, and available, pending or sold.',
  clauses: ['SCHEMA-3'],
  advice: 'Look at how an entry is serialized: status has to be available, pending or sold, as spelt here.',
})
