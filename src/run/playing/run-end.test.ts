import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JournalRecord } from '../../evidence/journal.js'
import { createRedactor } from '../../evidence/redaction.js'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { type Clock, systemClock } from '../../kit/clock.js'
import { collectGarbage } from '../../kit/testing/collect-garbage.js'
import { madeProbe } from '../../probes/testing/made-probe.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import { standInRestore } from '../plan/budget.js'
import type { RunSetup } from '../run-setup.js'
import { playRun } from './play.js'
import { watchRunEnd } from './run-end.js'

const listens = madeProbe({
  id: 'listens',
  cost: () => ({ keyed: 9 }),
  play: async (context) => void (await context.ask({ step: 'list', operation: 'listInventory' })),
})

const unanswered: ExchangePart = { status: null }
const brokenOff = { phase: 'body', code: 'UND_ERR_SOCKET', message: 'other side closed' } as const

/** A sender whose target never answers: it waits until it is called off. */
const waiting: ExchangeSender = {
  send: ({ probe, step }, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve(madeExchange({ probe, step, ...unanswered })))
    }),
  close: async () => {},
}

const setupOf = (sender: ExchangeSender, clock: Clock, part: Partial<RunSetup> = {}): RunSetup => ({
  head: madeEvidence([], {
    run: {
      keys: [madeKey('free')],
      planned: { requests: [{ key: 'free', probe: 'listens', requests: 9 }], durationMs: 100 },
    },
  }).run,
  scheduled: [{ probe: listens, settings: {} }],
  journal: { write: () => {}, keep: () => {}, close: () => {} },
  openSender: () => sender,
  redactor: createRedactor(),
  credentialOf: () => ({ headers: [], query: '' }),
  clock,
  startedAt: clock.monotonicMs(),
  interrupt: new AbortController().signal,
  loadAllowed: false,
  watch: () => {},
  ...part,
})

describe('the time limit of a run', () => {
  it('ends it while it waits for an answer, whatever garbage is collected until then', async () => {
    const written: JournalRecord[] = []
    const journal = { write: (each: JournalRecord) => void written.push(each), keep: () => {}, close: () => {} }
    const run = playRun(setupOf(waiting, systemClock, { timeLimitMs: 100, journal }))
    await collectGarbage()
    const { evidence } = await run
    expect(evidence.endedBy).toBe('time-limit')
    expect(evidence.probes).toMatchObject([{ probe: 'listens', end: 'interrupted', reason: 'time-limit' }])
    expect(evidence.notes.map(({ text }) => text)).toEqual(['the time limit of the run was reached'])
    expect(written.at(-1)).toMatchObject({ type: 'end', interrupted: false, cause: 'time-limit' })
  })
})

describe('where no time limit is given', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is three times the plan, what repeats may take, and a minute', async () => {
    const setup = setupOf(waiting, systemClock)
    const planned = { ...setup.head.planned, durationMs: 1_000, againMs: 500 }
    const end = watchRunEnd({ ...setup, head: { ...setup.head, planned } }, waiting, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(63_000)
    expect(end.cause()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(end.cause()).toBe('time-limit')
    end.clear()
  })
})

describe('an inventory that is being put back when the time limit is reached', () => {
  it('is put back in the time that every run has for it', async () => {
    const touches = madeProbe({
      id: 'listens',
      played: 'each-plan',
      cost: () => ({ keyed: 9 }),
      play: async (context) => context.willTouch({ id: 1n, quantity: 5n, status: 'sold' }),
    })
    let asked = 0
    const sender: ExchangeSender = {
      ...waiting,
      send: async (question, signal) => {
        asked += 1
        if (asked === 1) return waiting.send(question, signal)
        return madeExchange({
          probe: question.probe,
          step: question.step,
          body: '[{"petId":1,"quantity":5,"status":"sold"}]',
        })
      },
    }
    const { head } = setupOf(sender, systemClock)
    const requests = ['listens', 'restore'].map((probe) => ({ key: 'free', probe, requests: 9 }))
    const { evidence } = await playRun(
      setupOf(sender, systemClock, {
        head: { ...head, planned: { ...head.planned, requests } },
        scheduled: [{ probe: touches, settings: {} }],
        timeLimitMs: 100,
      }),
    )
    expect(evidence.endedBy).toBe('time-limit')
    expect([asked, evidence.unrestored]).toEqual([2, []])
  })
})

describe('an inventory that is to be put back', () => {
  it('is read by the key that may ask soonest', async () => {
    const spends = madeProbe({
      id: 'listens',
      played: 'each-plan',
      cost: () => ({ keyed: 9 }),
      play: async (context) => {
        context.willTouch({ id: 1n, quantity: 5n, status: 'sold' })
        if (context.key.name === 'pro') await context.askOnce({ step: 'list', operation: 'listInventory' })
      },
    })
    const asking: unknown[] = []
    const sender: ExchangeSender = {
      ...waiting,
      send: async ({ probe, step, credential }) => {
        asking.push([probe, 'key' in credential && credential.key])
        const answer = { body: '[{"petId":1,"quantity":5,"status":"sold"}]' }
        return madeExchange({
          probe,
          step,
          ...(probe === 'listens' ? { status: 429, headers: [['Retry-After', '30']] } : answer),
        })
      },
    }
    const { head } = setupOf(sender, systemClock)
    const requests = [
      { key: 'pro', probe: 'listens', requests: 9 },
      { key: 'pro', probe: 'restore', requests: 9 },
      { key: 'free', probe: standInRestore, requests: 8 },
    ]
    const { evidence } = await playRun(
      setupOf(sender, systemClock, {
        head: { ...head, keys: [madeKey('free'), madeKey('pro')], planned: { ...head.planned, requests } },
        scheduled: [{ probe: spends, settings: {} }],
      }),
    )
    expect(asking).toEqual([
      ['listens', 'pro'],
      [standInRestore, 'free'],
    ])
    expect(evidence.unrestored).toEqual([])
  })
})

describe('a target that has stopped answering', () => {
  let nowMs = 0
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs }
  const pass = async (ms: number) => {
    nowMs += ms
    await vi.advanceTimersByTimeAsync(ms)
  }
  const passInSteps = async (seconds: number) => {
    for (let each = 0; each < seconds; each += 1) await pass(1_000)
  }
  beforeEach(() => {
    nowMs = 0
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => void vi.useRealTimers())

  const question = {
    probe: 'listens',
    step: 'list',
    intent: {},
    operation: null,
    method: 'GET',
    path: '/',
    credential: { form: 'none' },
  } as const

  it('ends the run 46 s after its last answer, and drops even what is written', async () => {
    const end = watchRunEnd(setupOf(waiting, clock), waiting, new AbortController().signal)
    void end.sender.send(question, end.signal)
    await passInSteps(45)
    expect(end.cause()).toBeUndefined()
    await passInSteps(2)
    expect([end.cause(), end.signal.aborted, end.dropped.aborted]).toEqual(['target-silent', true, true])
    expect(end.told()).toBe(
      'the target stopped answering, so the run was ended: no complete answer came for 46 s (0 requests failed, 1 had no answer yet)',
    )
    end.clear()
  })

  it('is waited for as long as one exchange may take, where the user allows more', async () => {
    const end = watchRunEnd(
      setupOf(waiting, clock, { limits: { bodyMs: 120_000 } }),
      waiting,
      new AbortController().signal,
    )
    void end.sender.send(question, end.signal)
    await passInSteps(135)
    expect(end.cause()).toBeUndefined()
    await passInSteps(2)
    expect(end.cause()).toBe('target-silent')
    end.clear()
  })

  it.each<readonly [what: string, answer: ExchangePart, isSilent: boolean]>([
    ['whole ones, though they are 503s', { status: 503 }, false],
    ['ones of which more came than is kept', { truncated: true, error: brokenOff }, false],
    ['bodies that do not come to their end', { error: brokenOff }, true],
    ['broken connections', unanswered, true],
  ])('is not one that gives an answer every ten seconds, if they are whole: %s', async (_what, answer, isSilent) => {
    const sender: ExchangeSender = { ...waiting, send: async () => madeExchange(answer) }
    const end = watchRunEnd(setupOf(sender, clock), sender, new AbortController().signal)
    for (let asked = 0; asked < 9; asked += 1) {
      await end.sender.send(question)
      await passInSteps(10)
    }
    expect(end.cause()).toBe(isSilent ? 'target-silent' : undefined)
    end.clear()
  })

  it('is not one whose answers under load come', async () => {
    const end = watchRunEnd(setupOf(waiting, clock), waiting, new AbortController().signal)
    void end.sender.send(question, end.signal)
    for (let row = 0; row < 9; row += 1) {
      end.ear.asked(nowMs)
      await passInSteps(10)
      end.ear.answered(nowMs)
    }
    expect(end.cause()).toBeUndefined()
    end.clear()
  })

  it('is not one that we did not hear because our process stood still', async () => {
    const end = watchRunEnd(setupOf(waiting, clock), waiting, new AbortController().signal)
    void end.sender.send(question, end.signal)
    nowMs += 600_000
    await vi.advanceTimersByTimeAsync(250)
    expect(end.cause()).toBeUndefined()
    end.clear()
  })
})
