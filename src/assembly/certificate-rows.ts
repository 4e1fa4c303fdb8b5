import type { Certificate } from '../certificate/certificates.js'
import type { Replayed } from '../certificate/replays.js'
import type { CertificateRow } from '../report/model.js'

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
