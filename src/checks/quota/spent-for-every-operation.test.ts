import { expect, it } from 'vitest'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { admittedWhileSpent } from '../../oracle/spent-windows.js'
import { asked, bucket, fixed, log, playedOn } from '../rate/testing/played-limiter.js'
import { verdictTable } from '../testing/verdict-table.js'
import { spentForEveryOperation } from './spent-for-every-operation.js'

verdictTable(spentForEveryOperation, [
  ['another operation was refused', playedOn(fixed(), asked(['getPet', 429])), { verdict: 'pass', witnesses: ['x3'] }],
  [
    'it was admitted once more, and then refused',
    playedOn(fixed(), asked(['getPet', 200], ['getPet', 429])),
    {
      verdict: 'fail',
      code: 'operation-admitted-while-spent',
      facts: { plan: 'free', operation: 'getPet', limit: 60 },
      witnesses: ['burst-free#88', 'x3', 'x4'],
    },
  ],
  [
    'it was admitted once more by a log, which gives nothing back so soon',
    playedOn(log(), asked(['getPet', 200], ['getPet', 429])),
    { verdict: 'fail', code: 'operation-admitted-while-spent' },
  ],
  [
    'it was never refused, so that it may have a count of its own',
    playedOn(fixed(), asked(['getPet', 200], ['updateInventory', 429])),
    { verdict: 'pass', witnesses: ['x4'] },
  ],
  [
    'quota comes back bit by bit',
    playedOn(bucket(Math.floor), asked(['getPet', 200], ['getPet', 429])),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['nothing else was asked for', playedOn(fixed()), { verdict: 'inconclusive', code: 'not-told' }],
])

it.each([
  ['counts against the quota', ['listInventory', 'getPet'], true],
  ['does not', ['listInventory'], false],
])('an operation that %s', (_, requests, isBeyond) => {
  const [key] = judgedKeys(playedOn(fixed(), asked(['getPet', 200], ['getPet', 429])))
  expect(admittedWhileSpent(key, { requests }) !== undefined).toBe(isBeyond)
})

it('a refusal may be of the window before where that was spent under another Reset', () => {
  const [key] = judgedKeys(playedOn(fixed(), asked(['getPet', 200], ['getPet', 429])))
  const reset = key.record.reset.map((each, row) => (key.record.status[row] === 200 && row <= 60 ? each - 60 : each))
  const named = { ...key, record: { ...key.record, reset } }
  expect(admittedWhileSpent(named, { requests: ['listInventory', 'getPet'] })).toBeUndefined()
})
