import { type CheckOf, levelOf } from '../../src/checks/framework/check.js'
import type { Need } from '../../src/checks/framework/needs.js'
import { type Area, areaOf, areas, type Clause, type ClauseId, sentenceOfAnyQuota } from '../../src/contract/clauses.js'
import { tableCell } from '../../src/kit/words.js'

type KnownClause = Clause & { readonly id: ClauseId }

/** A check as the reference shows it; a client's check reads arrivals, and has no `needs`. */
interface Told extends Omit<CheckOf<never>, 'judge'> {
  readonly reads?: readonly string[] | 'everything'
  readonly needs?: Need
  /** The contracts that it is for, if not all. */
  readonly of?: string
}

const needOf = ({ needs }: Told): string => (needs ? `${needs.least ?? 1} or more: ${needs.cases}` : '')

const readsOf = ({ reads = [] }: Told): string =>
  reads === 'everything' ? 'every answer' : reads.map((probe) => `[${probe}](probes.md#${probe})`).join(', ')

const clauseRow = ({ id, level, source, sentence }: Clause): string =>
  `| ${id} | ${level} | ${source} | ${tableCell(sentence)} |`

const checkRow = (check: Told): string =>
  `| \`${check.id}\` | ${tableCell(check.promise)} | ${check.clauses.join(', ')} | ${levelOf(check)} | ${tableCell(needOf(check))} | ${readsOf(check)} |`

/** The same for a quota of a contract file, with that file's words and levels. */
const quotaRow = (check: Told): string[] => {
  const promise = sentenceOfAnyQuota(check.clauses[0])
  if (promise === undefined || check.of === 'petstore') return []
  const level = check.level ?? "the file's"
  return [
    `| \`${check.id}:QUOTA\` | ${tableCell(promise)} | ${check.clauses[0]} | ${level} | ${tableCell(needOf(check))} | ${readsOf(check)} |`,
  ]
}

const section = (area: Area, clauses: readonly KnownClause[], checks: readonly Told[]): string => {
  const own = clauses.filter(({ id }) => areaOf(id) === area)
  const judging = checks.filter((check) => own.some(({ id }) => id === check.clauses[0]))
  const judged = ['', '| check | promise | clauses | level | a pass takes | reads |', '|---|---|---|---|---|---|']
  const ofPetstore = judging.filter(({ of }) => of !== 'contract-file').map(checkRow)
  const ofQuotas = judging.flatMap(quotaRow)
  return [
    `## ${areas[area]} (${area})`,
    '',
    '| clause | level | where | sentence |',
    '|---|---|---|---|',
    ...own.map(clauseRow),
    ...(ofPetstore.length === 0 ? [] : [...judged, ...ofPetstore]),
    ...(ofQuotas.length === 0 ? [] : ['', 'For each quota of a contract file:', ...judged, ...ofQuotas]),
    '',
  ].join('\n')
}

/** The reference of clauses, and of the checks that judge each, in Markdown: a section for each area. */
export const checkReference = (clauses: readonly KnownClause[], checks: readonly Told[]): string =>
  (Object.keys(areas) as Area[]).map((area) => section(area, clauses, checks)).join('\n')
