import { describe, expect, it } from 'vitest'
import { limiters } from '../certificate/limiters.js'
import { playedRun, rowsOf } from '../certificate/testing/played-run.js'
import { asked, fixed, playedOn } from '../checks/rate/testing/played-limiter.js'
import type { ProbeEnd } from '../evidence/journal.js'
import { type EvidencePart, madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { seededRandom } from '../kit/random.js'
import { quotaRows } from './quota-figures.js'

const keys = [madeKey('free')]
const probes = [
  { probe: 'isolation', settings: {} },
  { probe: 'burst', settings: {} },
]

const ended = (part: Partial<ProbeEnd>): ProbeEnd => ({
  type: 'probe',
  probe: 'burst',
  key: 'free',
  at: 0,
  end: 'completed',
  reason: '',
  ...part,
})

/** More than the limit at once, of which 60 are admitted. */
const rows: readonly MadeRow[] = Array.from({ length: 90 }, (_, i) => ({
  sentMs: 1_000 + i,
  status: i < 60 ? 200 : 429,
  ...(i < 60 ? {} : { retryAfter: 58 }),
}))
const spender = madeLedger(rows, { id: 'isolation-pro', probe: 'isolation' })

/** All phases of a run on a key that a log of 60 a minute limits. */
const wholeRun = playedRun(
  () => limiters['sliding-log']({ limit: 60, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(7) }),
  { limit: 60, windowMs: 60_000 },
)

const row = (part: EvidencePart = {}) =>
  quotaRows(madeEvidence([{ sentAt: -200_000 }], { run: { keys, probes }, ...part }))[0]

describe('the row of a plan', () => {
  it('has failed where a window that was spent admits one more of another operation', () => {
    const once = playedOn(fixed(), asked(['getPet', 429], ['getPet', 429]))
    expect(quotaRows(once)[0].verdict).not.toBe('fail')
    const twice = playedOn(fixed(), asked(['getPet', 200], ['getPet', 429]))
    expect(quotaRows(twice)[0]).toMatchObject({ plan: 'free', verdict: 'fail' })
  })

  it('is passed where its loads put the limit to the test and exclude every other', () => {
    const [passed] = quotaRows(
      madeEvidence([], { run: { keys, probes }, ledgers: [madeLedger(rowsOf(wholeRun))], probes: [ended({})] }),
    )
    const admitted = wholeRun.filter(({ isAdmitted }) => isAdmitted).length
    const refused = wholeRun.length - admitted
    expect(passed).toMatchObject({ verdict: 'pass', sent: wholeRun.length, admitted, refused })
    expect(passed.reason).toBeUndefined()
  })

  it('is not where one burst could have hidden another limit', () => {
    const found = row({ ledgers: [madeLedger(rows)], probes: [ended({})] })
    expect(found).toMatchObject({ verdict: 'inconclusive', sent: 90, admitted: 60, refused: 30 })
    expect(found.reason).toMatch(/could still hide on the Free plan|could still hide on Free/)
  })

  it.each<readonly [string, Partial<ProbeEnd> | undefined, 'inconclusive' | 'not-tested', RegExp]>([
    [
      'its day had no room for a load',
      { end: 'skipped', reason: 'day-too-small', room: { key: 'free', needed: 71, left: 40 } },
      'inconclusive',
      /^burst would take 71 requests, and 40 are left of the key's day/,
    ],
    ['the run was interrupted before', { end: 'interrupted', reason: 'not played' }, 'inconclusive', /ended before it/],
    ['the run never came to it', undefined, 'inconclusive', /^no load was put on it: the run ended before it/],
    ['no load is allowed', { end: 'failed', reason: 'load-not-allowed' }, 'inconclusive', /--allow-load/],
    ['it lacks what the load takes', { end: 'skipped', reason: 'read-only' }, 'not-tested', /--read-only/],
  ])('is never passed where %s, whatever else was sent', (_, end, verdict, reason) => {
    for (const ledgers of [[], [spender]]) {
      const found = row({ ledgers, probes: end ? [ended(end)] : [] })
      expect(found).toMatchObject({ verdict, sent: ledgers.length === 0 ? 1 : 91 })
      expect(found.reason).toMatch(reason)
    }
  })

  it('says why it is not judged where a load was too little', () => {
    const few = row({ ledgers: [madeLedger(rows.slice(0, 5))], probes: [ended({})] })
    expect(few).toMatchObject({
      verdict: 'inconclusive',
      reason: 'too few requests were sent and answered within one window to reach the limit',
    })
  })

  it('is not there where the scenario has no load for it, and none was sent', () => {
    expect(row({ run: { keys, probes: [] } })).toBeUndefined()
  })

  it('counts everything on the key where the scenario has other loads than the burst', () => {
    const run = { keys, probes: [{ probe: 'cost', settings: {} }] }
    const found = row({ run, ledgers: [madeLedger(rows, { id: 'cost-1-free', probe: 'cost' })] })
    expect(found).toMatchObject({ verdict: 'pass', sent: 91 })
  })
})
