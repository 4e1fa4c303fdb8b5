import type { ClauseRow } from './model.js'

/** The areas of clauses, the one whose breach is gravest first: what a quota lets through, then who is let in, then what is stored. */
const areasByGravity = ['QUOTA', 'AUTH', 'INV', 'THROTTLE', 'RATE', 'SCHEMA', 'BASE', 'ERR', 'VER']

interface Weighed {
  readonly level: ClauseRow['level']
  readonly clauses: readonly string[]
}

const rankOfClause = (id: string): number => {
  const [area = '', number = '0'] = id.split('-')
  const rank = areasByGravity.indexOf(area)
  return (rank < 0 ? areasByGravity.length : rank) * 100 + Number(number)
}

const rank = ({ level, clauses }: Weighed): number => {
  const levels = { must: 0, should: 1, observe: 2 } as const
  return levels[level] * 10_000 + Math.min(...clauses.map(rankOfClause), 9_999)
}

/** The rows, the gravest first: `must` before `should`, quotas before all else, and clauses of an area in their order. */
export const byGravity = <T extends Weighed>(rows: readonly T[]): T[] => rows.toSorted((a, b) => rank(a) - rank(b))
