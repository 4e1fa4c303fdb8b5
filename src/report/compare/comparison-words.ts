import { figures } from '../../contract/figures.js'
import { count } from '../../kit/words.js'
import { counted } from '../summary.js'
import type {
  ChangeKind,
  ComparedFigure,
  Comparison,
  FigureChange,
  UnchangedFigure,
  VerdictChange,
} from './comparison.js'

export const kinds: readonly ChangeKind[] = ['worse', 'better', 'other']

export const kindWords = { worse: 'Got worse', better: 'Got better', other: 'Changed' } as const

/** The changes of a kind: clauses, then gates, then figures. */
export const changesOf = (
  { verdicts, figures }: Comparison,
  kind: ChangeKind,
): readonly (VerdictChange | FigureChange)[] => [
  ...verdicts.filter((each) => each.kind === kind),
  ...figures.filter((each) => each.kind === kind),
]

const inUnits = (value: number, { unit }: ComparedFigure): string =>
  unit === 'ms' ? `${count(Math.round(value * 10) / 10)} ms` : count(value)

/** A change's name: `RATE-5`, `overAdmitted (pro)`, or `latencyMs.admitted.p99 (pro, slowest load)`. */
export const nameOf = (change: VerdictChange | ComparedFigure): string => {
  if ('id' in change) return change.id
  const where = [change.plan, figures[change.figure].worstLoad].filter((each) => each !== null && each !== undefined)
  return where.length === 0 ? change.figure : `${change.figure} (${where.join(', ')})`
}

/** What it was: `pass`, `12.4 ms`, or `11.8 ms to 12.4 ms` over several baselines. */
export const beforeOf = (change: VerdictChange | ComparedFigure): string => {
  if ('id' in change) return change.before.join(' or ')
  const low = inUnits(change.low, change)
  const high = inUnits(change.high, change)
  return low === high ? low : `${low} to ${high}`
}

/** What it is now. */
export const nowOf = (change: VerdictChange | ComparedFigure): string => {
  if ('id' in change) return change.now
  return change.value === null ? 'not measured' : inUnits(change.value, change)
}

/** Why, where that is known. */
export const reasonOf = (change: VerdictChange | FigureChange): string =>
  'id' in change && change.now !== 'pass' ? change.reason : ''

/** Names in the sentence; the rest is counted. */
const mostNamed = 6

/** The comparison in a sentence. */
export const comparisonHeadline = (comparison: Comparison): string => {
  const worse = changesOf(comparison, 'worse')
  const better = changesOf(comparison, 'better').length
  const also = better > 0 ? ` ${counted(better, 'improvement')}.` : ''
  if (worse.length === 0) return `No regression.${also}`
  const named = worse.slice(0, mostNamed).map(nameOf).join(', ')
  const rest = worse.length > mostNamed ? ` and ${worse.length - mostNamed} more` : ''
  return `${counted(worse.length, 'regression')}: ${named}${rest}.${also}`
}

/** How many baselines, and what was held against them. */
export const scopeOf = ({ baselines, scenario, figuresCompared }: Comparison): string =>
  `${scenario}: held against ${counted(baselines.length, 'baseline')}, verdicts${figuresCompared > 0 ? ` and ${counted(figuresCompared, 'figure')}` : ''}`

/** A group of figures that are no change, with its heading. */
interface UnchangedGroup {
  readonly id: string
  readonly title: string
  readonly figures: readonly UnchangedFigure[]
}

/** The figures that are no change, for whoever wants all: those within noise, and those that nothing is held against. */
export const unchangedGroups = ({ unchanged }: Comparison): UnchangedGroup[] =>
  [
    { id: 'within-noise', title: 'Within noise', figures: unchanged.filter(({ isHeld }) => isHeld) },
    {
      id: 'only-shown',
      title: 'Only shown: they say little of the target by themselves',
      figures: unchanged.filter(({ isHeld }) => !isHeld),
    },
  ].filter(({ figures }) => figures.length > 0)

/** How many figures are within noise, and how to see them; empty where none was held against the run. */
export const withinNoiseInWords = ({ unchanged }: Comparison): string => {
  const held = unchanged.filter(({ isHeld }) => isHeld).length
  return held === 0 ? '' : `${counted(held, 'figure')} within noise; --all lists ${held === 1 ? 'it' : 'them'}.`
}
