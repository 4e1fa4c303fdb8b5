import { clauses } from '../../src/contract/clauses.js'
import { groupedBy } from '../../src/kit/grouped-by.js'
import { listInWords } from '../../src/kit/words.js'
import { conditions } from './conditions.js'
import { type ClauseOutcome, clauseOutcome, type TrialOutcome } from './outcome.js'
import { asPercent, type ConditionTally, countOf, redShare, type Settled } from './tally.js'

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly string[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows,
]

const conditionRow = (tally: ConditionTally): string => {
  const { condition, faults, variations } = tally
  const broken = countOf([...faults, ...variations], 'broke-down')
  return row(
    condition,
    faults.length,
    countOf(faults, 'exact'),
    countOf(faults, 'otherwise-red'),
    countOf(faults, 'inconclusive'),
    `**${countOf(faults, 'green')}**`,
    asPercent(redShare(tally)),
    variations.length,
    countOf(variations, 'exact'),
    countOf(variations, 'inconclusive'),
    `**${countOf(variations, 'accused')}**`,
    broken,
  )
}

const clauseCell = (faults: readonly Settled[], clause: string): string => {
  const judged = faults.filter(({ result }) => result.expected.includes(clause))
  if (judged.length === 0) return '—'
  const count = (wanted: ClauseOutcome) =>
    judged.filter(({ result }) => clauseOutcome(result, clause) === wanted).length
  return `${count('red')} / ${count('open')} / ${count('passed')}`
}

const clauseRows = (tallies: readonly ConditionTally[]): string[] => {
  const broken = new Set(tallies.flatMap(({ faults }) => faults.flatMap(({ result }) => result.expected)))
  return clauses
    .filter(({ id }) => broken.has(id))
    .map(({ id }) => row(id, ...tallies.map(({ faults }) => clauseCell(faults, id))))
}

const words: Readonly<Record<Exclude<TrialOutcome, 'exact'>, string>> = {
  'otherwise-red': 'red, not as listed',
  inconclusive: 'inconclusive',
  green: '**GREEN**',
  accused: '**RED**',
  'broke-down': 'broke down',
}

const list = (ids: readonly string[]): string => (ids.length === 0 ? '—' : [...ids].sort().join(', '))

const unsettledRows = ({ condition, faults, variations }: ConditionTally): string[] =>
  [...faults, ...variations].flatMap(({ result, outcome }) =>
    outcome === 'exact'
      ? []
      : [
          row(
            condition,
            `\`${result.id}\``,
            `${words[outcome]} (${result.exitCode})`,
            list(result.expected),
            list(result.failing),
            list(result.expected.filter((id) => result.passing.includes(id))),
            list(result.open),
          ),
        ],
  )

const playsIn = (tallies: readonly ConditionTally[]) =>
  tallies.flatMap(({ faults, variations }) => [...faults, ...variations].map(({ result }) => result))

/** What was played: the builds, and missing trials of today's catalogues. */
const played = (tallies: readonly ConditionTally[]): string[] => {
  const builds = new Map(playsIn(tallies).map(({ build, commit }) => [build, commit]))
  const named = [...builds].map(([build, commit]) => (commit === null ? `build ${build}` : `commit ${commit}`))
  const missing = groupedBy(
    tallies.filter((tally) => tally.missing.length > 0),
    (tally) => list(tally.missing.map((id) => `\`${id}\``)),
  )
  return [
    `Played with ${list(named)}.`,
    ...[...missing].map(
      ([ids, alike]) => `Not played yet, ${listInWords(alike.map(({ condition }) => condition))}: ${ids}.`,
    ),
  ].flatMap((line) => [line, ''])
}

/** The matrix under stress as a page: by condition, by clause, and every trial that was not exact. */
export const renderStress = (tallies: readonly ConditionTally[]): string => {
  const unsettled = tallies.flatMap(unsettledRows)
  const names = tallies.map(({ condition }) => condition)
  return [
    '# The keystone under stress',
    '',
    'Every fault and every conforming variation of the reference server, on a busy machine and against a slow or distant',
    'target. There a fault may stay inconclusive, but must never pass; a variation must never fail. Written by',
    '`npm run keystone -- --under quiet,crowded,slow,delayed --write-stress docs/explanation/stress.md`.',
    '',
    ...names.map((name) => `- **${name}**: ${conditions[name].sentence}.`),
    '',
    ...played(tallies),
    '## By condition',
    '',
    'Faults: red with exactly the clauses that they break, red with others, left open, green (never). Variations: all settled,',
    'something left open, red (never).',
    '',
    ...table(
      [
        '',
        'faults',
        'exact',
        'otherwise red',
        'open',
        'green',
        'red',
        'variations',
        'settled',
        'open',
        'red',
        'broke down',
      ],
      tallies.map(conditionRow),
    ),
    '',
    '## By clause',
    '',
    'How a clause was judged in the trials of the faults that break it: red / left open / passed. If one passed, another one failed,',
    'or its trial is green above.',
    '',
    ...table(['clause', ...names], clauseRows(tallies)),
    '',
    '## Not settled exactly',
    '',
    'Green: a run that passed on a fault, or one in which nothing failed and a broken clause passed.',
    '',
    ...(unsettled.length === 0
      ? ['Nothing.']
      : table(
          ['condition', 'trial', 'outcome (exit code)', 'breaks', 'failing', 'broken, and passed', 'left open'],
          unsettled,
        )),
    '',
  ].join('\n')
}
