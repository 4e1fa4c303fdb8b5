import { areas } from '../contract/clauses.js'
import { planName } from '../contract/plans.js'
import { probeCatalogue } from '../contract/probe-catalogue.js'
import { leastStillMs } from '../kit/clock.js'
import { count, counted, fewOf, formatDuration, listInWords, present } from '../kit/words.js'
import type { Verdict } from '../verdict/verdict.js'
import { breaksRun } from './findings.js'
import type { CostRow, GateRow, Report, WaiverRow } from './model.js'

/** The broken gates on figures that are not waived. The gate on the level repeats what the clauses say. */
export const brokenGates = ({ gates }: Pick<Report, 'gates'>): GateRow[] =>
  gates.filter(({ id, verdict, waived }) => id !== 'level' && verdict === 'fail' && waived === null)

/** The waivers that fail the run: those that expired, and those whose subject passes now. */
export const brokenWaivers = (report: Pick<Report, 'waivers'>): WaiverRow[] =>
  report.waivers.filter(({ state }) => state === 'expired' || state === 'passes-now')

export const countClauses = (report: Report): Readonly<Record<Verdict, number>> => {
  const counts = { pass: 0, fail: 0, inconclusive: 0, observed: 0, 'not-tested': 0 }
  for (const clause of report.clauses) counts[clause.verdict] += 1
  return counts
}

/** The failing clauses: how many count, only warn, or are waived. */
export const countFailures = (report: Report) => {
  const all = report.clauses.filter(({ verdict }) => verdict === 'fail')
  const waived = all.filter((each) => each.waived !== null).length
  const warned = all.filter((each) => each.waived === null && !breaksRun(report, each.level)).length
  return { failed: all.length - waived - warned, warned, waived }
}

/** The counts of clauses in words. A breach that only warns counts as a warning, so that `failed` means what fails the run. */
export const clausesPhrase = (report: Report): string => {
  const of = countClauses(report)
  const { failed, warned, waived } = countFailures(report)
  return present(
    `${of.pass} passed`,
    `${failed} failed`,
    waived > 0 && `${waived} waived`,
    warned > 0 && counted(warned, 'warning'),
    `${of.inconclusive} inconclusive`,
    `${of.observed} observed`,
    `${of['not-tested']} not tested`,
  ).join(', ')
}

export const requestTotals = ({ spending }: Pick<Report, 'spending'>) => ({
  planned: spending.reduce((sum, row) => sum + row.planned, 0),
  spent: spending.reduce((sum, row) => sum + row.spent, 0),
})

/** The name of an area for people; `area` is its key or already its name. */
export const areaName = (area: string): string =>
  Object.hasOwn(areas, area) ? areas[area as keyof typeof areas] : area

/** Pets that were seen changed, and pets that nobody could check. */
export const unrestoredPets = ({ unrestored }: Pick<Report, 'unrestored'>) => ({
  changed: unrestored.filter(({ look }) => look === null),
  unseen: unrestored.filter(({ look }) => look !== null),
})

/** The pets that somebody else changed, or the target itself; undefined if there are none. */
export const changedElsewhereInWords = ({ changedElsewhere: pets }: Pick<Report, 'changedElsewhere'>) => {
  if (pets.length === 0) return undefined
  const named = pets.map(({ petId, before, after }) => `pet ${petId} from ${before} to ${after}`)
  return `Changed by the target or by somebody else: ${listInWords(fewOf(named, mostNamed))}.`
}

export const countUnrestored = (report: Pick<Report, 'unrestored'>) => {
  const { changed, unseen } = unrestoredPets(report)
  return { changed: changed.length, unseen: unseen.length }
}

const beside: Readonly<Record<string, string>> = {
  restore: 'Puts the inventory back as it was',
  repeats: 'Probes played again: the requests beyond the plan',
  'asked-again': 'Requests sent again after a 429 that this run did not cause',
}

/** What a probe does, for people; an unknown id stays as it is. */
export const probeName = (id: string): string =>
  Object.hasOwn(probeCatalogue, id) ? probeCatalogue[id as keyof typeof probeCatalogue].title : (beside[id] ?? id)

/** Whose key a request used: a plan's, no valid one, or any that needs it. */
export const keyName = (key: string): string =>
  key === 'strangers' ? 'No valid key' : key === 'any' ? 'Any key' : planName(key)

const mostNamed = 4

/** Which loads missed their schedule, and the consequence for verdicts; undefined if all were on time. */
export const lateLoadsInWords = ({ load }: Pick<Report, 'load'>): string | undefined => {
  const late = load.filter((row) => row.late)
  if (late.length === 0) return undefined
  const names = [...new Set(late.map(({ profile, plan }) => `${profile} on ${planName(plan)}`))]
  const told = listInWords(fewOf(names, mostNamed))
  const were = `${count(late.length)} of ${count(load.length)} loads ${late.length === 1 ? 'was' : 'were'}`
  return `This machine missed its schedule: ${were} sent late (${told}). If every load of a plan was late, its quota stays inconclusive.`
}

const rounded = (value: number): string => String(Number(value.toPrecision(value >= 10 ? 3 : 2)))

const half = (name: string, of: CostRow['admitted']): string =>
  of === null ? `${name}: none` : `${name} p50 ${rounded(of.p50)} ms, p99 ${rounded(of.p99)} ms (${count(of.count)})`

/** The rounds in which the machine stalled, and for how long: `this machine stalled for 310 ms in round 2`. */
const stillInWords = ({ rounds }: CostRow): string | undefined => {
  const told = rounds
    .filter(({ stoodStillMs }) => stoodStillMs >= leastStillMs)
    .map(({ round, stoodStillMs }) => `for ${formatDuration(stoodStillMs)} in round ${round}`)
  return told.length === 0 ? undefined : `this machine stalled ${listInWords(told)}`
}

const shareInWords = ({ admitted, refused, share }: CostRow): string => {
  if (share !== null) return `a refusal costs ${rounded(share)} of an answer`
  if (refused === null) return 'nothing was refused, so the cost of a refusal is unknown'
  return admitted === null
    ? 'nothing was admitted, so there is no admitted answer to compare a refusal with'
    : 'too few answers to say what a refusal costs'
}

const standingInWords = (row: CostRow): string => {
  const still = stillInWords(row)
  if (row.withheld)
    return `the cost of a refusal is withheld: ${still ?? 'this machine stalled'}, which may explain the difference`
  if (still === undefined) return shareInWords(row)
  return `${shareInWords(row)} (${still}${row.share === null ? '' : ', which changes this by a tenth at most'})`
}

/** What the limiter costs on a key: how long answers and refusals took, and their ratio. */
export const limiterCostInWords = (row: CostRow): string =>
  `${half('admitted', row.admitted)}; ${half('refused', row.refused)}: ${standingInWords(row)}`

export const costMs = (of: CostRow['admitted']): string => (of === null ? '–' : rounded(of.p50))
