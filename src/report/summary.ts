import { areas } from '../contract/clauses.js'
import { planName } from '../contract/plans.js'
import { probeCatalogue } from '../contract/probe-catalogue.js'
import { counted } from '../kit/words.js'
import type { Verdict } from '../verdict/verdict.js'
import { breaksRun } from './findings.js'
import type { GateRow, Report, WaiverRow } from './model.js'

/** The gates on figures that are broken, and not waived. That of the level says what the clauses say. */
export const brokenGates = ({ gates }: Pick<Report, 'gates'>): GateRow[] =>
  gates.filter(({ id, verdict, waived }) => id !== 'level' && verdict === 'fail' && waived === null)

/** The waivers that fail the run: those that ended, and those of what passes now. */
export const brokenWaivers = (report: Pick<Report, 'waivers'>): WaiverRow[] =>
  report.waivers.filter(({ state }) => state === 'expired' || state === 'passes-now')

export const countClauses = (report: Report): Readonly<Record<Verdict, number>> => {
  const counts = { pass: 0, fail: 0, inconclusive: 0, observed: 0, 'not-tested': 0 }
  for (const clause of report.clauses) counts[clause.verdict] += 1
  return counts
}

/** The clauses that fail, apart: those that count, those that only warn, those that are waived. */
export const countFailures = (
  report: Report,
): { readonly failed: number; readonly warned: number; readonly waived: number } => {
  const all = report.clauses.filter(({ verdict }) => verdict === 'fail')
  const waived = all.filter((each) => each.waived !== null).length
  const warned = all.filter((each) => each.waived === null && !breaksRun(report, each.level)).length
  return { failed: all.length - waived - warned, warned, waived }
}

/** The counts of clauses in words. A breach that only warns is counted as a warning, so that the failed ones are those that count. */
export const clausesPhrase = (report: Report): string => {
  const of = countClauses(report)
  const { failed, warned, waived } = countFailures(report)
  return [
    `${of.pass} passed`,
    `${failed} failed`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
    `${of.inconclusive} inconclusive`,
    `${of.observed} observed`,
    `${of['not-tested']} not tested`,
  ].join(', ')
}

/** Requests planned and spent on all keys. */
export const requestTotals = (
  report: Pick<Report, 'spending'>,
): { readonly planned: number; readonly spent: number } => ({
  planned: report.spending.reduce((sum, row) => sum + row.planned, 0),
  spent: report.spending.reduce((sum, row) => sum + row.spent, 0),
})

/** The name of an area for people; `area` is its key or already its name. */
export const areaName = (area: string): string =>
  Object.hasOwn(areas, area) ? areas[area as keyof typeof areas] : area

/** Pets that were seen to be other than they were, and pets that nobody could look at. */
export const countUnrestored = ({ unrestored }: Pick<Report, 'unrestored'>): { changed: number; unseen: number } => {
  const unseen = unrestored.filter(({ look }) => look !== null).length
  return { changed: unrestored.length - unseen, unseen }
}

/** What every run does beside its probes. */
const beside: Readonly<Record<string, string>> = {
  restore: 'Puts the inventory back as it was',
  repeats: 'Probes that are played again, as far as they take more than was planned',
  'asked-again': 'Asked again after a 429 that this run did not cause',
}

/** What a probe does, for people; an id that is not known stays as it is. */
export const probeName = (id: string): string =>
  Object.hasOwn(probeCatalogue, id) ? probeCatalogue[id as keyof typeof probeCatalogue].title : (beside[id] ?? id)

/** On whose account a request went: a plan's key, a request without a valid key, or whichever key needs it. */
export const keyName = (key: string): string =>
  key === 'strangers' ? 'No valid key' : key === 'any' ? 'Any key' : planName(key)
