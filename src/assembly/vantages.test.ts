import { expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { vantageRows } from './load-figures.js'

const sentBy = (agent: string, probe: string, rows: readonly MadeRow[], clockErrorMs = 0.2, isClockKept = true) =>
  madeLedger(rows, {
    id: `${probe}-free-${agent}-${clockErrorMs}`,
    probe,
    origin: { agent, group: 'eu', target: `http://${agent}/v1`, clockErrorMs, isClockKept },
  })

it('what each agent saw has a row for each profile, its loads added up, with the worst of its clock', () => {
  const lost = { sentMs: 9, status: null, flags: ['lost', 'untold'] } as const
  const ledgers = [
    sentBy('eu-10', 'spread', [{ sentMs: 0 }, { sentMs: 1, status: 429 }]),
    sentBy('eu-2', 'spread', [{ sentMs: 0 }, { sentMs: 1 }, { sentMs: 2, status: 500 }]),
    sentBy('eu-2', 'burst', [{ sentMs: 5 }, lost]),
    sentBy('eu-2', 'burst', [{ sentMs: 20, status: 429 }], 7, false),
    madeLedger([{ sentMs: 30 }], { id: 'own', probe: 'burst' }),
  ]
  const rows = vantageRows(madeEvidence([], { ledgers }))
  const counts = rows.map((each) => [each.profile, each.agent, each.sent, each.admitted, each.refused, each.unknown])
  expect(counts).toEqual([
    ['spread', 'eu-2', 3, 2, 0, 1],
    ['spread', 'eu-10', 2, 1, 1, 0],
    ['burst', 'eu-2', 3, 1, 1, 1],
  ])
  expect(rows[2]).toMatchObject({ name: 'eu', key: 'free', untold: 1, clockErrorMs: 7, isClockKept: false })
  expect(rows[1]).toMatchObject({ target: 'http://eu-10/v1', untold: 0, clockErrorMs: 0.2, isClockKept: true })
})

it('is empty where the machine that played the run sent all of it', () => {
  expect(vantageRows(madeEvidence([], { ledgers: [madeLedger([{ sentMs: 0 }])] }))).toEqual([])
})
