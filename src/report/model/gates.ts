import { type FigureName, figureNames, figures } from '../../contract/figures.js'
import { type PlanName, planName, planNames } from '../../contract/plans.js'
import { count, listInWords } from '../../kit/words.js'
import { isExcluded, shareInWords } from '../certificate.js'
import type { GateRow } from '../model.js'
import { countUnrestored } from '../summary.js'
import { type Measured, measurePlan, measureRun, measureStretches } from './measure.js'

/** A figure's value, on a plan or, for a figure of the whole run, on none. Null: it was not measured. */
interface GateReading<Value = number | null> {
  readonly value: Value
  readonly plan: string | null
}

/** A figure's value with its unit: `12.4 ms`, `5`. */
export const inUnits = (value: number, name: FigureName): string =>
  figures[name].unit === 'ms' ? `${count(Math.round(value * 10) / 10)} ms` : count(value)

/** The reported value, with its plan unless all plans share the value. */
const readingInWords = (told: GateReading | undefined, name: FigureName, all: readonly GateReading[]): string => {
  if (told === undefined) return 'not measured'
  const { value, plan } = told
  const where = plan !== null && all.some((each) => each.value !== value) ? ` (${planName(plan)})` : ''
  return `${value === null ? 'not measured' : inUnits(value, name)}${where}`
}

/** All values over a bound, the worst first, each with its plans: `5 (Pro), 1 each (Free and Business)`. */
const overInWords = (over: readonly GateReading<number>[], name: FigureName): string => {
  const values = [...new Set(over.map(({ value }) => value))].sort((a, b) => b - a)
  return values
    .map((value) => {
      const plans = over.flatMap((each) => (each.value === value && each.plan !== null ? [planName(each.plan)] : []))
      // Otherwise a count could be taken for the sum of all of them.
      const each = plans.length > 1 && figures[name].unit !== 'ms' ? ' each' : ''
      return `${inUnits(value, name)}${each}${plans.length > 0 ? ` (${listInWords(plans)})` : ''}`
    })
    .join(', ')
}

type GateBound = number | { readonly most: number; readonly everyMs: number }
type Limits = { readonly [Name in FigureName]?: GateBound | undefined }

/** The gates of a scenario, for every plan or for one. */
export type Gates = Limits & {
  readonly level?: 'must' | 'should' | undefined
  /** Limiter defects that the run must exclude on every key. */
  readonly excludes?: readonly string[] | undefined
  readonly plans?: { readonly [Plan in PlanName]?: Limits | undefined } | undefined
}

/** The clauses equivalent to a gate, by its id: `overAdmitted`, or `free.overAdmitted` for one plan. */
export const clausesOfGate = (id: string): readonly string[] => {
  const name = figureNames.find((each) => id === each || planNames.some((plan) => id === `${plan}.${each}`))
  return name === undefined ? [] : figures[name].clauses
}

export interface GateContext {
  /** The plans of the run's keys: a plan figure is measured once it is measured on each of them. */
  readonly plans: readonly string[]
  /** Whether single checks were requested, so that not everything had to be measured. */
  readonly isPartial: boolean
}

/** The clauses of a level and those above it: `should` includes the `must` clauses. */
const levelGate = (report: Measured, level: 'must' | 'should'): GateRow => {
  const binding = report.clauses.filter((each) => each.level === 'must' || each.level === level)
  const failed = binding.filter(({ verdict, waived }) => verdict === 'fail' && waived === null).map(({ id }) => id)
  const open = binding
    .filter(({ verdict, waived }) => verdict === 'inconclusive' && waived === null)
    .map(({ id }) => id)
  const held = binding.filter(({ verdict }) => verdict === 'pass').length
  const verdict = failed.length > 0 ? 'fail' : open.length > 0 || held === 0 ? 'inconclusive' : 'pass'
  const value =
    failed.length > 0
      ? `${count(failed.length)} (${failed.join(', ')})`
      : open.length > 0
        ? `0, but ${count(open.length)} inconclusive (${open.join(', ')})`
        : `0 of ${count(held)} tested`
  const sentence = `Broken ${level === 'must' ? 'must' : 'must and should'} rules.`
  return { id: 'level', sentence, limit: '0', value, verdict, waived: null }
}

const readings = (report: Measured, name: FigureName, bound: GateBound, plans: readonly string[]): GateReading[] => {
  if (figures[name].of === 'run') {
    const measured = { value: measureRun(report, name), plan: null }
    const isOpen = name === 'unrestored' && countUnrestored(report).unseen > 0
    return isOpen ? [measured, { value: null, plan: null }] : [measured]
  }
  return plans.map((plan) => ({
    plan,
    value:
      typeof bound === 'number' ? measurePlan(report, name, plan) : measureStretches(report, name, bound.everyMs, plan),
  }))
}

/** A breach on one plan is a breach; otherwise the figure must be measured on each plan. */
const figureGate = (
  report: Measured,
  name: FigureName,
  bound: GateBound,
  { plans, isPartial, one }: GateContext & { readonly one: boolean },
): GateRow => {
  const most = typeof bound === 'number' ? bound : bound.most
  const all = readings(report, name, bound, plans)
  const measured = all.filter((each): each is GateReading<number> => each.value !== null)
  const [worst] = [...measured].sort((a, b) => b.value - a.value)
  const over = measured.filter(({ value }) => value > most)
  const missing = all.find(({ value }) => value === null)
  const isBroken = over.length > 0
  // Whether pets were restored had to be checked whichever checks were requested.
  const unmeasured = isPartial && name !== 'unrestored' ? 'not-tested' : 'inconclusive'
  const every = typeof bound === 'number' ? '' : ` in every ${count(bound.everyMs)} ms`
  return {
    id: one ? `${plans[0]}.${name}` : name,
    sentence: `${figures[name].sentence}${one ? ` on the ${planName(plans[0] ?? '')} key` : ''}${every}.`,
    limit: inUnits(most, name),
    value: isBroken
      ? overInWords(one ? over.map((each) => ({ ...each, plan: null })) : over, name)
      : readingInWords(missing ?? worst, name, all),
    verdict: isBroken ? 'fail' : missing || worst === undefined ? unmeasured : 'pass',
    waived: null,
  }
}

/** Why a defect is not excluded on a plan; undefined if it is, on each quota of the plan with a certificate. */
const whyNotExcluded = (report: Measured, defect: string, plan: string): string | undefined => {
  const rows = report.certificates.filter((each) => each.plan === plan)
  if (rows.length === 0) return `not measured (${planName(plan)})`
  for (const row of rows) {
    if (isExcluded(report, row, defect)) continue
    const open = row.open.find((each) => each.defect === defect)
    if (open) return `${shareInWords(open)} (${planName(plan)})`
    // Another plan's limit is no other limit if it is the same: then it was replayed only on other keys.
    const isElsewhere = report.certificates.some(({ excluded, open }) =>
      [...excluded, ...open].some((each) => each.defect === defect),
    )
    if (!(defect.startsWith('limit-of-') && isElsewhere)) return `not measured (${planName(plan)})`
  }
  return undefined
}

/** A defect that the run would have shown is excluded; about any other nothing is known, so the gate never fails. */
const excludesGate = (report: Measured, defect: string, { plans, isPartial }: GateContext): GateRow => {
  const lacking = plans.flatMap((plan) => whyNotExcluded(report, defect, plan) ?? [])
  const isPassed = lacking.length === 0 && plans.length > 0
  const unmeasured = isPartial && report.certificates.length === 0 ? 'not-tested' : 'inconclusive'
  return {
    id: `excludes.${defect}`,
    sentence: `The run excludes ${wordsOf(report, defect)}.`,
    limit: 'excluded',
    value: isPassed ? 'excluded' : lacking.length === 0 ? 'not measured' : lacking.join(', '),
    verdict: isPassed ? 'pass' : unmeasured,
    waived: null,
  }
}

const wordsOf = ({ certificates }: Measured, defect: string): string =>
  certificates.flatMap(({ excluded, open }) => [...excluded, ...open]).find((each) => each.defect === defect)?.words ??
  defect

const limitsOf = (limits: Limits): [FigureName, GateBound][] =>
  figureNames.flatMap((name): [FigureName, GateBound][] => {
    const bound = limits[name]
    return bound === undefined ? [] : [[name, bound]]
  })

/** Each gate with limit, value and verdict. A figure that was not measured is inconclusive, never passed. */
export const evaluateGates = (report: Measured, gates: Gates, context: GateContext): GateRow[] => {
  const rows = [
    ...(gates.level ? [levelGate(report, gates.level)] : []),
    ...(gates.excludes ?? []).map((defect) => excludesGate(report, defect, context)),
    ...limitsOf(gates).map(([name, bound]) => figureGate(report, name, bound, { ...context, one: false })),
    ...Object.entries(gates.plans ?? {}).flatMap(([plan, limits]) =>
      limitsOf(limits ?? {}).map(([name, bound]) =>
        figureGate(report, name, bound, { ...context, plans: [plan], one: true }),
      ),
    ),
  ]
  const isProven = report.clauses.some(({ level, verdict }) => level !== 'observe' && /^(pass|fail)$/.test(verdict))
  return isProven ? rows : rows.map((row) => ({ ...row, value: 'nothing was proven', verdict: 'inconclusive' }))
}
