import type { Promised } from '../../checks/law/check.js'
import type { Need } from '../../checks/law/needs.js'
import { type Area, areaOf, areas, type Clause, type ClauseId, gravestOf } from '../../contract/clauses.js'

type KnownClause = Clause & { readonly id: ClauseId }

/** What is told of a check: of a target, or of a client, which reads arrivals and says nothing of a need. */
interface Told extends Promised {
  readonly reads?: readonly string[] | 'everything'
  readonly needs?: Need
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** How grave a breach is: as its gravest clause, where the check is no milder. */
const levelOf = (check: Told, clauses: readonly KnownClause[]): string =>
  check.level ?? gravestOf(clauses.filter(({ id }) => check.clauses.some((each) => each === id)).map((x) => x.level))

const needOf = ({ needs }: Told): string => (needs ? `${needs.least} or more: ${needs.cases}` : '')

const readsOf = ({ reads = [] }: Told): string =>
  reads === 'everything' ? 'every answer' : reads.map((probe) => `[${probe}](probes.md#${probe})`).join(', ')

const clauseRow = ({ id, level, source, sentence }: Clause): string =>
  `| ${id} | ${level} | ${source} | ${cell(sentence)} |`

const checkRow = (check: Told, clauses: readonly KnownClause[]): string =>
  `| \`${check.id}\` | ${cell(check.promise)} | ${check.clauses.join(', ')} | ${levelOf(check, clauses)} | ${cell(needOf(check))} | ${readsOf(check)} |`

const section = (area: Area, clauses: readonly KnownClause[], checks: readonly Told[]): string => {
  const own = clauses.filter((each) => areaOf(each.id) === area)
  const judging = checks.filter((check) => own.some(({ id }) => id === check.clauses[0]))
  const judged = ['', '| check | promise | clauses | level | a pass takes | reads |', '|---|---|---|---|---|---|']
  return [
    `## ${areas[area]} (${area})`,
    '',
    '| clause | level | where | sentence |',
    '|---|---|---|---|',
    ...own.map(clauseRow),
    ...(judging.length === 0 ? [] : [...judged, ...judging.map((check) => checkRow(check, clauses))]),
    '',
  ].join('\n')
}

/** The reference of clauses, and of the checks that judge each, in Markdown: a section for each area. */
export const checkReference = (clauses: readonly KnownClause[], checks: readonly Told[]): string =>
  (Object.keys(areas) as Area[]).map((area) => section(area, clauses, checks)).join('\n')
