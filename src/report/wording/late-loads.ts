import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { Report } from '../model.js'

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
  return `This machine missed its schedule: ${were} sent late (${told}). Where every load of a plan was late, its quota is left open, and never passed.`
}
