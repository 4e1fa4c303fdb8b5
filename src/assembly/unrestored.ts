import type { Evidence } from '../evidence/evidence.js'
import { quantitiesOf } from '../petstore/readings/listed-pets.js'
import type { Report } from '../report/model.js'
import { keyVariable } from './key-variable.js'

/** The quantities of all pets in the last list that was read after the last change; undefined where none was. */
const lastLook = ({ exchanges }: Evidence): ReadonlyMap<string, string> | undefined => {
  const changes = exchanges.filter(({ request }) => request.method === 'PATCH')
  const lastChangeAt = Math.max(...changes.map(({ endedAt }) => endedAt))
  const looks = exchanges.filter((x) => x.sentAt >= lastChangeAt).map(quantitiesOf)
  return looks.findLast((each) => each !== undefined)
}

/** Each pet that was touched and not seen as before, with commands that put it back and, if nobody looked, show it. */
export const unrestoredRows = (evidence: Evidence): Report['unrestored'] => {
  const { run, unrestored } = evidence
  const seen = lastLook(evidence)
  const key = `-H 'Authorization: Bearer '"$${keyVariable(run, run.keys[0]?.name ?? 'free')}"`
  return unrestored.map(({ petId, quantity }) => ({
    petId,
    quantity,
    curl: `curl -sS -X PATCH '${run.baseUrl}/inventory/${petId}' ${key} -H 'Content-Type: application/json' --data '{"quantity":${quantity}}'`,
    look: seen !== undefined && seen.get(petId) !== quantity ? null : `curl -sS '${run.baseUrl}/inventory' ${key}`,
  }))
}
