import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { witnessText } from '../../kit/witness.js'
import { isKeyQuiet, type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute, showsOwnLimit } from '../../readings/key-history.js'
import { answeredBefore } from '../../readings/key-record.js'
import { viewOf } from '../../readings/quota-views.js'
import { plainlyAsked } from '../framework/answers.js'
import { byDiagnosis, defineCheck } from '../framework/check.js'
import { fail, type SentencesOf } from '../framework/finding.js'
import { clauseSentences, judgedClause, loadedAgain } from '../framework/judged-clause.js'
import { loadProfiles } from '../framework/loads.js'

export const notOverAdmitted = defineCheck({
  id: 'quota.not-over-admitted',
  promise: 'On every plan a permitted way of counting explains every admitted request.',
  clauses: ['QUOTA-1'],
  advice: byDiagnosis('Check where requests are counted: more pass than the limit, wherever the windows lie.'),
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-1'),
  sentences: clauseSentences,
})

/**
 * The first request of another operation that was refused although the answer before it showed places left, and the
 * next request took the first of them. All were sent one after another, so that no place was taken, or came back, in
 * between.
 *
 * Example: a reading shows 2 left, a PATCH is refused, and the next reading shows 1 left.
 */
const refusedWithRoom = (key: JudgedKey, isMeant: (row: number) => boolean) => {
  const { record, window } = key
  if (record.cost || !isKeyQuiet(key)) return undefined
  const answered = answeredBefore(record)
  const isAlone = (row: number) => row === 0 || answered[row] <= record.sentMs[row]
  const isServed = (row: number) =>
    record.status[row] >= 200 && record.status[row] < 300 && showsOwnLimit(record, row, window)
  const isOfOthers = (row: number) =>
    record.excused[row] === 1 || record.blocked[row] === 1 || isBeyondMinute(record, row, window)
  let before: number | undefined
  let refused: number | undefined
  for (let row = 0; row < record.size; row += 1) {
    const isRefused = record.status[row] === 429 && isAlone(row) && !isOfOthers(row)
    if (isRefused && isMeant(row)) refused ??= row
    if (isRefused) continue
    const isBehind = isServed(row) && isAlone(row)
    if (isBehind && before !== undefined && refused !== undefined) {
      if (record.remaining[row] === record.remaining[before] - 1) return { before, refused, behind: row }
    }
    before = isBehind ? row : undefined
    refused = undefined
  }
  return undefined
}

/** The failure if an operation was refused while the key had room, on the first key that shows it. */
export const refusedOperation = (evidence: Evidence) => {
  const { quota } = viewOf(evidence)
  const plain = plainlyAsked(evidence)
  for (const key of judgedKeys(evidence)) {
    const { record, plan } = key
    const isMeant = (row: number) =>
      record.ordinary[row] === 0 &&
      quota.requests.includes(record.operation(row) ?? '') &&
      plain.has(witnessText(record.witness(row)))
    const found = refusedWithRoom(key, isMeant)
    if (!found) continue
    const { before, refused, behind } = found
    const facts = { plan, operation: record.operation(refused) ?? '', left: record.remaining[before] }
    return fail('operation-refused-with-room', facts, ...[before, refused, behind].map(record.witness))
  }
  return undefined
}

const refusedOperationSentence = {
  'operation-refused-with-room': (f) =>
    `on the ${planName(f.plan)} key a request of ${f.operation} was refused while ${f.left} more were left: the next request got the place`,
} satisfies SentencesOf<NonNullable<ReturnType<typeof refusedOperation>>>

export const notRefusedEarly = defineCheck({
  id: 'quota.not-refused-early',
  promise: 'On every plan a permitted way of counting explains every refused request.',
  clauses: ['QUOTA-2'],
  advice: byDiagnosis('Check what else counts against this quota, and when its window ends: it refuses too early.'),
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => refusedOperation(evidence) ?? judgedClause(evidence, 'QUOTA-2'),
  sentences: { ...clauseSentences, ...refusedOperationSentence },
})
