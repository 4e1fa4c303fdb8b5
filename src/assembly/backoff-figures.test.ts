import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { backoffRows } from './client-figures.js'
import { loadRows } from './quota-figures.js'

const compliant = { probe: 'compliant-clients', key: 'free' }

const rounds = [
  madeLedger(
    [
      { sentMs: 61_000 },
      { sentMs: 61_010, status: 429 },
      { sentMs: 61_020, status: 503 },
      { sentMs: 61_030, status: null, flags: ['lost'] },
    ],
    { ...compliant, id: 'compliant-02-free' },
  ),
  madeLedger([{ sentMs: 1_000 }, { sentMs: 1_010 }, { sentMs: 1_020, status: 429, tookMs: 5 }], {
    ...compliant,
    id: 'compliant-01-free',
    counts: { planned: 150, sent: 3, answered: 3, errors: 0, timeouts: 0, lost: 0 },
  }),
]

describe('the clients of a run', () => {
  it('are told in one row for a key: what they sent over all rounds, what was served, what was wasted', () => {
    expect(backoffRows(madeEvidence([], { ledgers: rounds }))).toMatchObject([
      {
        ...{ plan: 'free', probe: 'compliant-clients', behaviour: 'compliant', rounds: 2, clients: 1 },
        ...{ work: 150, sent: 7, served: 3, refused: 2, wasted: 4 },
        ...{ startedAt: 1_000, endedAt: 61_030, idealMs: 120_000, stretchMs: 626 },
        attempts: [
          [0, 2, 1, 0],
          [95 * 626, 1, 1, 2],
        ],
      },
    ])
  })

  it('that hammer are told apart from those that wait, on the same key and elsewhere', () => {
    const hammering = madeLedger([{ sentMs: 90_000, status: 429 }], { ...compliant, id: 'hammering-free' })
    const forBan = madeLedger([{ sentMs: 200_000, status: 403 }], { probe: 'ban', key: 'free', id: 'ban-free' })
    const rows = backoffRows(madeEvidence([], { ledgers: [...rounds, hammering, forBan] }))
    expect(rows.map(({ probe, behaviour, sent, work }) => ({ probe, behaviour, sent, work }))).toEqual([
      { probe: 'compliant-clients', behaviour: 'compliant', sent: 7, work: 150 },
      { probe: 'compliant-clients', behaviour: 'hammering', sent: 1, work: 150 },
      { probe: 'ban', behaviour: 'hammering', sent: 1, work: null },
    ])
  })

  it('are named in the rows of their loads, and nothing is in those that play none', () => {
    const others = [
      madeLedger([{ sentMs: 90_000 }], { ...compliant, id: 'hammering-free' }),
      madeLedger([{ sentMs: 1 }]),
    ]
    const rows = loadRows(madeEvidence([], { ledgers: [rounds[1], ...others] }), [])
    expect(rows.map((row) => row.behaviour)).toEqual(['compliant', 'hammering', undefined])
  })

  it('are none where a load plays no clients, or sent nothing', () => {
    const ledgers = [madeLedger([{ sentMs: 1 }]), madeLedger([], { ...compliant, id: 'compliant-01-free' })]
    expect(backoffRows(madeEvidence([], { ledgers }))).toEqual([])
  })

  it('keep the picture of their attempts small, however long they go on', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ sentMs: at * 7, status: at % 3 === 0 ? 200 : 429 }))
    const [row] = backoffRows(madeEvidence([], { ledgers: [madeLedger(many, { ...compliant, id: 'hammering-free' })] }))
    expect(row.attempts.length).toBeLessThanOrEqual(96)
    expect(row.attempts.reduce((sum, [, served, refused, other]) => sum + served + refused + other, 0)).toBe(20_000)
  })
})
