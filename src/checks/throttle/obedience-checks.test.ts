import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { verdictTable } from '../testing/verdict-table.js'
import { banCheck } from './ban.js'
import { compliantNotBanned } from './compliant-not-banned.js'

const minuteMs = 60_000
const keys = [madeKey('free')]

const served = (from: number, count: number): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: from + i }))
const refused = (at: number, status = 429): MadeRow => ({ sentMs: at, status, retryAfter: 60 })

const refusals = (from: number, count: number, retryAfter: number): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: from + i * 10, status: 429, retryAfter }))

/** Rounds of the clients, each with what it sent; the work is 100 requests. */
const rounds = (...each: readonly (readonly MadeRow[])[]) => {
  let left = 100
  const ledgers = each.map((rows, round) => {
    const ledger = madeLedger(rows, { id: `compliant-${round + 1}-free`, probe: 'compliant-clients' })
    const planned = left
    left -= rows.filter(({ status = 200 }) => status === 200).length
    return { ...ledger, head: { ...ledger.head, counts: { ...ledger.head.counts, planned } } }
  })
  return madeEvidence([], { run: { keys }, ledgers })
}

/** The same, and clients on the same key that did not wait. */
const besideHammering = (rows: readonly MadeRow[], ...each: readonly (readonly MadeRow[])[]) => {
  const { ledgers } = rounds(...each)
  const hammering = madeLedger(rows, { id: 'hammering-free', probe: 'compliant-clients' })
  return madeEvidence([], { run: { keys }, ledgers: [...ledgers, hammering] })
}

/** Two rounds: the first is served all of its 100, and the second has 50 more to do. */
const withMoreToDo = (...each: readonly [readonly MadeRow[], readonly MadeRow[]]) => {
  const { ledgers, ...evidence } = rounds(...each)
  const [whole, more] = ledgers
  const counts = { ...more.head.counts, planned: 50 }
  return { ...evidence, ledgers: [whole, { ...more, head: { ...more.head, counts } }] }
}

const first = [...served(0, 60), refused(60)]

/** The same, after loads that the key was refused in so many windows, and banned behind the last. */
const besideBan = (windows: number, ...each: readonly (readonly MadeRow[])[]) => {
  const { ledgers } = rounds(...each)
  const loads = Array.from({ length: windows }, (_, i) => [
    ...served(10 * minuteMs + i * minuteMs, 1),
    ...refusals(10 * minuteMs + i * minuteMs + 10, 3, 50),
  ]).flat()
  const banned: MadeRow = { sentMs: (11 + windows) * minuteMs, status: 403 }
  const load = madeLedger([...loads, banned], { id: 'split-free', probe: 'split' })
  return madeEvidence([], { run: { keys }, ledgers: [...ledgers, load] })
}

verdictTable(compliantNotBanned, [
  [
    'a load was banned in its third refused window, and the clients waited once',
    besideBan(3, first, served(minuteMs + 100, 40)),
    { verdict: 'inconclusive', code: 'others-banned-later', facts: { plan: 'free', windows: 4, waits: 1 } },
  ],
  [
    'all the work is done in the second window',
    rounds(first, served(minuteMs + 100, 40)),
    {
      verdict: 'pass',
      facts: {
        plays: [
          {
            plan: 'free',
            work: 100,
            done: 100,
            sent: 101,
            rounds: 2,
            tookMs: 60_141,
            idealMs: 60_000,
            hammering: null,
          },
        ],
      },
    },
  ],
  [
    'the clients are banned when they come back',
    rounds(first, [refused(minuteMs + 100, 403)]),
    { verdict: 'fail', code: 'obedient-banned', facts: { served: 60, round: 2 }, witnesses: ['compliant-2-free#0'] },
  ],
  [
    'they were banned before they came, for what somebody else did',
    rounds([refused(0, 403)], served(minuteMs, 60), served(2 * minuteMs, 40)),
    { verdict: 'pass' },
  ],
  [
    'they come back again and again, and are never served',
    rounds(first, [refused(minuteMs + 100)], [refused(2 * minuteMs + 200)]),
    { verdict: 'fail', code: 'obedient-never-served', facts: { done: 60, unservedMs: 120_141 } },
  ],
  [
    'they come back too early once, as told, and are served then',
    rounds(first, [refused(minuteMs - 900)], served(minuteMs + 100, 40)),
    { verdict: 'pass' },
  ],
  [
    'they had come back once when their time was over',
    rounds(first, [refused(3 * minuteMs)]),
    { verdict: 'inconclusive', code: 'obedient-cut-short' },
  ],
  [
    'their time was over while they were served',
    rounds(first, [...served(minuteMs + 100, 10), refused(minuteMs + 200)]),
    { verdict: 'inconclusive', code: 'obedient-cut-short', facts: { done: 70 } },
  ],
  [
    'they were never refused, had more to do, and their time was over before it was done',
    withMoreToDo(served(0, 100), [...served(200, 10), refused(300)]),
    { verdict: 'inconclusive', code: 'obedient-cut-short', facts: { done: 110 } },
  ],
  [
    'clients that hammer beside them are banned, which is told and held against nobody',
    besideHammering(
      [...served(300_000, 60), ...refusals(300_100, 30, 60), { sentMs: 300_500, status: 403 }],
      first,
      served(minuteMs + 100, 40),
    ),
    {
      verdict: 'pass',
      facts: { plays: [{ done: 100, hammering: { sent: 91, served: 60, tookMs: 502, lastStatus: 403 } }] } as never,
    },
  ],
  ['nobody played them', madeEvidence([], { run: { keys } }), { verdict: 'inconclusive', code: 'not-told' }],
])

const hammered = (rows: readonly MadeRow[], ...asked: readonly { status: number; sentAt: number }[]) =>
  madeEvidence(
    asked.map((each, i) => ({ probe: 'ban', step: i === 0 ? 'banned' : 'asked-again', ...each })),
    { run: { keys }, ledgers: [madeLedger(rows, { id: 'ban-free', probe: 'ban' })] },
  )

const dated = { flags: ['retryAfterIsDate'] } as const

verdictTable(banCheck, [
  [
    'the status changes, and back',
    hammered(
      [...served(0, 60), ...refusals(100, 25, 60), { sentMs: 400, status: 403 }],
      { status: 403, sentAt: 500 },
      { status: 200, sentAt: 90_402 },
    ),
    {
      verdict: 'observed',
      code: 'ban-seen',
      facts: { plan: 'free', refusedBefore: 25, status: 403, headers: [], lengthMs: 90_000, askedMeanwhile: 1 },
    },
  ],
  [
    'a refusal names a later moment than those before it',
    hammered([...served(0, 60), ...refusals(100, 5, 60), ...refusals(150, 1, 600)], { status: 429, sentAt: 500 }),
    { verdict: 'observed', facts: { refusedBefore: 5, status: 429, lengthMs: null } as never },
  ],
  [
    'a window ends and the next one begins',
    hammered([...refusals(0, 5, 1), ...served(1_000, 60), ...refusals(1_100, 5, 60)]),
    { verdict: 'observed', code: 'no-ban-seen', facts: { plan: 'free', refused: 10 } },
  ],
  [
    'all refusals name the same date, the last of them much later',
    hammered([100, 1_100, 5_100].map((sentMs) => ({ sentMs, status: 429, retryAfter: 1_800_000_060, ...dated }))),
    { verdict: 'observed', code: 'no-ban-seen', facts: { plan: 'free', refused: 3 } },
  ],
  [
    'refusals name the same moment in seconds and as a date by turns',
    hammered([
      ...refusals(100, 1, 60),
      { sentMs: 110, status: 429, retryAfter: 1_800_000_060, ...dated },
      ...refusals(120, 1, 60),
    ]),
    { verdict: 'observed', code: 'no-ban-seen' },
  ],
  [
    'a date moves ten minutes away',
    hammered(
      [1_800_000_060, 1_800_000_660].map((retryAfter, i) => ({ sentMs: 100 + i, status: 429, retryAfter, ...dated })),
    ),
    { verdict: 'observed', code: 'ban-seen', facts: { refusedBefore: 1 } as never },
  ],
  ['nobody hammered', madeEvidence([], { run: { keys } }), { verdict: 'not-tested' }],
])
