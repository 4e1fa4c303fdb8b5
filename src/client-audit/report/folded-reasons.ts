import type { ClientGradeReason, ClientReport } from './model.js'

/** Reasons that one advice mends, told together: the gravest first. */
export interface FoldedReason {
  readonly reasons: readonly [ClientGradeReason, ...ClientGradeReason[]]
  readonly advice: string | null
}

/** What keeps a client from a better grade, each advice once. What was left out because it was asked to be is not told. */
export const foldedReasons = ({ grade }: Pick<ClientReport, 'grade'>): readonly FoldedReason[] => {
  const folded: { reasons: [ClientGradeReason, ...ClientGradeReason[]]; advice: string | null }[] = []
  for (const each of grade.reasons) {
    if (each.leftOut) continue
    const same = folded.find(({ advice }) => advice !== null && advice === each.advice)
    if (same) same.reasons.push(each)
    else folded.push({ reasons: [each], advice: each.advice })
  }
  return folded
}

/** What a reason leaves at best: of a client that gives nothing to grade no letter, but none. */
export const atBestOf = ({ letter }: ClientReport['grade'], { atBest }: ClientGradeReason): string =>
  letter === 'none' ? 'none' : atBest
