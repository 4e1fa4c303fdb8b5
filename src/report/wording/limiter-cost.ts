import { count } from '../../kit/words/count.js'
import type { CostRow } from '../model.js'

const rounded = (value: number): string => String(Number(value.toPrecision(value >= 10 ? 3 : 2)))

const half = (name: string, of: CostRow['admitted']): string =>
  of === null ? `${name}: none` : `${name} p50 ${rounded(of.p50)} ms, p99 ${rounded(of.p99)} ms (${count(of.count)})`

const shareInWords = ({ admitted, refused, share }: CostRow): string => {
  if (share !== null) return `a refusal costs ${rounded(share)} of an answer`
  if (refused === null) return 'nothing was refused, so what a refusal costs is not known'
  return admitted === null
    ? 'nothing was admitted, so there is no answer to hold a refusal against'
    : 'too few answers to say what a refusal costs'
}

/** What the limiter costs on a key: how long answers and refusals took, and the one as a share of the other. */
export const limiterCostInWords = (row: CostRow): string =>
  `${half('admitted', row.admitted)}; ${half('refused', row.refused)}: ${shareInWords(row)}`
