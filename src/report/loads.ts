import { planName } from '../contract/plans.js'
import { leastStillMs } from '../kit/clock.js'
import { count, formatDuration, listInWords } from '../kit/words.js'
import type { CostRow, Report } from './model.js'

/** So many loads are named; the others are counted. */
const mostNamed = 4

/** Which loads missed their schedule, and what that does to verdicts; undefined where all were in time. */
export const lateLoadsInWords = ({ load }: Pick<Report, 'load'>): string | undefined => {
  const late = load.filter((row) => row.late)
  if (late.length === 0) return undefined
  const names = [...new Set(late.map(({ profile, plan }) => `${profile} on ${planName(plan)}`))]
  const more = names.length - mostNamed
  const told = listInWords([...names.slice(0, mostNamed), ...(more > 0 ? [`${count(more)} more`] : [])])
  const were = `${count(late.length)} of ${count(load.length)} loads ${late.length === 1 ? 'was' : 'were'}`
  return `This machine missed its schedule: ${were} sent late (${told}). If every load of a plan was late, its quota stays inconclusive.`
}

const rounded = (value: number): string => String(Number(value.toPrecision(value >= 10 ? 3 : 2)))

const half = (name: string, of: CostRow['admitted']): string =>
  of === null ? `${name}: none` : `${name} p50 ${rounded(of.p50)} ms, p99 ${rounded(of.p99)} ms (${count(of.count)})`

/** In which rounds the machine stood still, and for how long: `this machine stalled for 310 ms in round 2`. */
const stillInWords = ({ rounds }: CostRow): string | undefined => {
  const told = rounds
    .filter(({ stoodStillMs }) => stoodStillMs >= leastStillMs)
    .map(({ round, stoodStillMs }) => `for ${formatDuration(stoodStillMs)} in round ${round}`)
  return told.length === 0 ? undefined : `this machine stalled ${listInWords(told)}`
}

const shareInWords = ({ admitted, refused, share }: CostRow): string => {
  if (share !== null) return `a refusal costs ${rounded(share)} of an answer`
  if (refused === null) return 'nothing was refused, so what a refusal costs is not known'
  return admitted === null
    ? 'nothing was admitted, so there is no admitted answer to compare a refusal with'
    : 'too few answers to say what a refusal costs'
}

const standingInWords = (row: CostRow): string => {
  const still = stillInWords(row)
  if (row.withheld)
    return `what a refusal costs of an answer is not told, since ${still ?? 'this machine stalled'}, and that may make the difference`
  if (still === undefined) return shareInWords(row)
  return `${shareInWords(row)} (${still}${row.share === null ? '' : ', which makes a difference of a tenth at most'})`
}

/** What the limiter costs on a key: how long answers and refusals took, and the one as a share of the other. */
export const limiterCostInWords = (row: CostRow): string =>
  `${half('admitted', row.admitted)}; ${half('refused', row.refused)}: ${standingInWords(row)}`

/** A time in milliseconds as the sentence tells it. */
export const costMs = (of: CostRow['admitted']): string => (of === null ? '–' : rounded(of.p50))
