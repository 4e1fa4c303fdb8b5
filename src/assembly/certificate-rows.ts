import { type Certificate, certificates } from '../certificate/certificates.js'
import { envelope } from '../certificate/measured.js'
import type { Replayed } from '../certificate/replays.js'
import type { Evidence } from '../evidence/evidence.js'
import { judgedKeys } from '../oracle/judged-keys.js'
import { explainingModels } from '../oracle/models/explain.js'
import { viewOf } from '../readings/quota-views.js'
import type { CertificateRow, EnvelopeRow } from '../report/model.js'

const rowOf = ({ defect, caught, draws }: Replayed): CertificateRow['open'][number] => ({
  defect: defect.id,
  words: defect.words,
  share: caught / draws,
  draws,
  demanded: defect.clauses.length > 0,
})

/** The defects that are excluded, and those that are open, for one key of a quota. */
export const certificateRow = ({ key, plan, measured, replayed }: Certificate, quota: string): CertificateRow => ({
  key,
  plan,
  quota,
  measured: { limit: [...measured.limit], windowMs: measured.windowMs && [...measured.windowMs] },
  excluded: replayed.filter(({ isExcluded }) => isExcluded).map(rowOf),
  open: replayed.filter(({ isExcluded }) => !isExcluded).map(rowOf),
})

export const certificateRows = (evidence: Evidence): CertificateRow[] =>
  certificates(evidence).map((each) => certificateRow(each, viewOf(evidence).quota.id))

/** The most that was admitted on each key of a quota, by span length. */
export const envelopeRows = (evidence: Evidence): EnvelopeRow[] =>
  judgedKeys(evidence)
    .filter(({ judgement }) => judgement !== null)
    .map(({ name, plan, agreed, history, judgement }) => {
      const explaining = explainingModels(judgement?.explanations ?? {})
      const models = explaining.length > 0 ? explaining : (['sliding-log'] as const)
      return { key: name, plan, quota: viewOf(evidence).quota.id, points: envelope(history, agreed, models) }
    })
