import { expect, it } from 'vitest'
import { byGravity } from './findings.js'
import type { ClauseRow } from './model.js'

const row = (level: ClauseRow['level'], ...clauses: string[]) => ({ level, clauses })

it.each<[string, ReturnType<typeof row>[], string[]]>([
  [
    'quotas come first, errors near the end, and an area that is not known last',
    [row('must', 'NEW-1'), row('must', 'ERR-2'), row('must', 'RATE-1'), row('must', 'AUTH-2'), row('must', 'QUOTA-3')],
    ['QUOTA-3', 'AUTH-2', 'RATE-1', 'ERR-2', 'NEW-1'],
  ],
  [
    'must comes before should, whatever it is about',
    [row('should', 'AUTH-7'), row('must', 'VER-1')],
    ['VER-1', 'AUTH-7'],
  ],
  ['clauses of an area keep their order by number', [row('must', 'INV-10'), row('must', 'INV-2')], ['INV-2', 'INV-10']],
  ['a check weighs as its gravest clause', [row('must', 'INV-1'), row('must', 'ERR-1', 'QUOTA-2')], ['ERR-1', 'INV-1']],
])('%s', (_, rows, order) => {
  expect(byGravity(rows).map(({ clauses: [first] }) => first)).toEqual(order)
})
