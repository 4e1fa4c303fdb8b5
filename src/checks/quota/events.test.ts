import { describe, expect, it } from 'vitest'
import type { EventPromise } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { RunEvent } from '../../evidence/journal.js'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { judgeOne } from '../../run/judge.js'
import { checksOf } from '../../run/registry.js'
import { effectInWords, eventsAllowed, eventsSeen } from './events.js'

const windowMs = 60_000

/** 60 a minute, counted from the first request: so many a second, as it was served, and forgotten at the event. */
const served = (forgets: boolean): MadeRow[] => {
  const at = [
    ...Array.from({ length: 80 }, (_, i) => 1_000 + i * 10),
    ...Array.from({ length: 80 }, (_, i) => 5_000 + i * 10),
  ]
  return at.map((sentMs, i) => ({
    sentMs,
    tookMs: 1,
    status: (i < 80 ? i < 60 : forgets && i < 140) ? 200 : 429,
    retryAfter: 58,
  }))
}

/** The window opens at 1 s, is spent at 50 s, and is over at 61 s: what comes then is admitted, restart or not. */
const servedAnew: MadeRow[] = [
  1_000,
  ...Array.from({ length: 60 }, (_, i) => 50_000 + i * 10),
  ...Array.from({ length: 61 }, (_, i) => 62_000 + i * 10),
].map((sentMs, i) => ({ sentMs, tookMs: 1, status: i === 60 || i === 121 ? 429 : 200, retryAfter: 10 }))

const restart = { type: 'event', name: 'restart', ledger: 'burst-free', sent: 80, at: 3_000, endedAt: 4_000 } as const

/** Used once long before, so that no window is open when the load begins. */
const longBefore = { sentAt: -200_000 }

const run = (
  forgets: boolean,
  promised?: EventPromise['mayAdmit'],
  first: object = longBefore,
  [rows, event] = [served(forgets), restart as RunEvent],
): Evidence => {
  const evidence = madeEvidence([{ key: 'free', ...first }], {
    run: { keys: [madeKey('free')], events: [{ name: 'restart', during: 'burst', at: 0.5 }] },
    ledgers: [madeLedger(rows, { operation: 'listInventory' })],
    events: [event],
  })
  const contract = contractOf(evidence.run)
  const quotas = contract.quotas.map((quota) => ({
    ...quota,
    windowMs,
    models: ['fixed-window-first-request' as const],
  }))
  if (promised === undefined) return evidence
  const events = { restart: { mayAdmit: promised } }
  return { ...evidence, run: { ...evidence.run, contract: { ...contract, quotas: quotas.slice(0, 1), events } } }
}

describe('what an event did', () => {
  it('is told: a restart that forgets its count admits a limit more', () => {
    const { code, facts } = eventsSeen.judge(run(true))
    expect([code, facts]).toMatchObject([
      'events-seen',
      { events: [{ name: 'restart', plans: [{ plan: 'free', most: 60 }] }] },
    ])
  })

  it('is told: one that keeps its count admits none', () => {
    expect(eventsSeen.judge(run(false)).facts).toMatchObject({ events: [{ plans: [{ least: 0, most: 0 }] }] })
  })

  it('is told: a restart may have hidden behind a window that nobody saw end', () => {
    const slow = { sentAt: -58_000, receivedAt: -55_500 }
    const evidence = run(true, 'nothing', slow)
    expect(eventsSeen.judge(evidence).facts).toMatchObject({ events: [{ plans: [{ most: 60 }] }] })
    expect(eventsAllowed.judge(evidence).verdict).not.toBe('pass')
  })

  it('is told: none where the window that was open had ended by then, however many came just before', () => {
    const late = { ...restart, at: 52_000, endedAt: 53_000 }
    expect(eventsSeen.judge(run(true, 'nothing', longBefore, [servedAnew, late])).facts).toMatchObject({
      events: [{ plans: [{ least: 0, most: 0 }] }],
    })
  })

  it('breaks no clause by itself', () => {
    const evidence = run(true)
    const quotaChecks = checksOf(evidence.run).filter(({ id }) => id.startsWith('quota.'))
    const verdicts = quotaChecks.map((check) => [check.id, judgeOne(check, evidence).verdict])
    expect(verdicts.filter(([, verdict]) => verdict === 'fail')).toEqual([])
    expect(checksOf({}).some(({ acrossEvents }) => acrossEvents)).toBe(false)
  })

  it.each([
    [0, 41, 0, 'up to 41 of 60 more were admitted (Free)'],
    [38, 41, 0, '38 to 41 of 60 more were admitted (Free)'],
    [41, 41, 0, '41 of 60 more were admitted (Free)'],
    [41, 43, 2, '41 of 60 more were admitted (Free), or up to 43 with 2 failed answers'],
    [38, 43, 1, '38 to 42 of 60 more were admitted (Free), or up to 43 with 1 failed answer'],
    [41, 41, 5, '41 of 60 more were admitted (Free)'],
    [0, 2, 5, 'no more were admitted (Free), or up to 2 with 5 failed answers'],
    [0, 0, 5, 'no more were admitted (Free)'],
  ])('is said in a sentence: from %d to %d, %d without an answer', (least, most, failed, inWords) => {
    const plans = [{ plan: 'free', limit: 60, least, most, failed }]
    expect(effectInWords({ name: 'restart', outageMs: 800, plans })).toBe(
      `restart: ${inWords}; answers failed for 800 ms`,
    )
  })
})

describe('what a contract lets an event do', () => {
  it.each([
    ['nothing, and it admitted a limit more', true, 'nothing', 'fail', 'event-admits-more'],
    ['one more limit, and it did', true, 'one-more-limit', 'pass', 'events-as-allowed'],
    ['59, and it admitted 60', true, 59, 'fail', 'event-admits-more'],
    ['nothing, and it did nothing', false, 'nothing', 'pass', 'events-as-allowed'],
  ] as const)('%s', (_, forgets, promised, verdict, code) => {
    expect(eventsAllowed.judge(run(forgets, promised))).toMatchObject({ verdict, code })
  })

  it('is not tested where no such event happened', () => {
    const evidence = run(false, 'nothing')
    expect(eventsAllowed.judge({ ...evidence, events: [{ ...restart, name: 'flush' }] })).toMatchObject({
      verdict: 'not-tested',
    })
  })
})
