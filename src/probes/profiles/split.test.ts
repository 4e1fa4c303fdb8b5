import { describe, expect, it } from 'vitest'
import type { KeyFacts, LoadPlan, ProbeContext, Return } from '../probe.js'
import { split } from './split.js'

const free: KeyFacts = { name: 'free', plan: 'free', quota: { limit: 10, longer: 1_000 } }
const pro: KeyFacts = { name: 'pro', plan: 'pro', quota: { limit: 300, longer: 10_000 } }

/** What split does on a key that has a window of 2 s, in windows since its last request; `rest` refuses so many. */
const playedWith = async (part: {
  readonly blockedForMs: number
  readonly refused: number
  readonly isShort?: boolean
  /** Whether there is no other key. */
  readonly isAlone?: boolean
  /** Whether a shorter quota lets it be spent in groups alone. */
  readonly isSpentInGroups?: boolean
  readonly returned?: Return
  /** How many are refused of a load behind the end of the window. */
  readonly refusedBehind?: number
  /** How many are refused of the fifth that is sent first, and of the load amid the refill. */
  readonly refusedAtOnce?: number
  readonly refusedAmid?: number
  readonly carriesOver?: boolean
  /** Until when single requests are refused. */
  readonly refusedUntil?: number
  readonly limit?: number
  /** How often a bucket is spent amid its refill. */
  readonly refills?: number
  /** Is given each load. */
  readonly loads?: LoadPlan[]
}) => {
  const did: string[] = []
  let at = 0
  const key: KeyFacts = {
    ...free,
    quota: { ...free.quota, limit: part.limit ?? free.quota.limit },
    ...(part.isSpentInGroups && { mostPerWindow: 12, isSpentInGroups: true }),
  }
  const context = {
    key,
    keys: part.isAlone ? [key] : [key, pro],
    lastReturn: () => part.returned,
    namesLongWaits: () => false,
    longestRoundTripMs: () => 1,
    usualRoundTripMs: () => 1,
    isShort: part.isShort ?? false,
    blockedForMs: part.blockedForMs,
    windowMs: 2_000,
    ordinary: {},
    lastUsedAt: () => 0,
    carriesOver: () => part.carriesOver ?? false,
    now: () => at,
    hintsOf: () => ({}),
    waitUntil: async (until: number) => {
      at = until
    },
    askOnce: async () => {
      did.push(`${at / 2_000}: 1`)
      return { sentAt: at, response: { status: part.refusedUntil !== undefined && at < part.refusedUntil ? 429 : 200 } }
    },
    load: async (plan: LoadPlan) => {
      const { id, amount } = plan
      part.loads?.push(plan)
      did.push(`${at / 2_000}: ${id} ${amount}`)
      const refused: Record<string, number | undefined> = {
        'rest-free': part.refused,
        'behind-free': part.refusedBehind,
        'atOnce-free': part.refusedAtOnce,
        'amid-refill-free': part.refusedAmid,
      }
      return { refusals: refused[id] ?? 0, ledger: { rows: { length: amount } } }
    },
  }
  await split.play(context as unknown as ProbeContext<string>, split.settings.parse({ refills: part.refills }))
  return did
}

const sentIn = (did: readonly string[]): number => did.reduce((sum, each) => sum + Number(each.split(' ').at(-1)), 0)

describe('the load in parts', () => {
  it('is silent over the end of its window, where no other key shows what opens windows', async () => {
    const returned = { refusedAt: -20, servedAt: 0 }
    const did = await playedWith({ blockedForMs: 0, refused: 6, returned, refusedUntil: 2_000, isAlone: true })
    expect(did.slice(2, 5)).toEqual(['0.8: rest-free 50', '1.5: 1', '1.75: again-free 50'])
  })

  it('spends two windows to their ends, where a shorter quota beside lets it be spent in groups alone', async () => {
    const loads = async (refusedUntil: number) =>
      (await playedWith({ blockedForMs: 0, refused: 0, isSpentInGroups: true, refusedUntil })).filter((each) =>
        each.includes('free'),
      )
    expect(await loads(2_000)).toEqual(['0: to-its-end-free 53', '1: to-its-end-free 53'])
    // What comes back bit by bit is open again at once, and has no end.
    expect(await loads(1)).toEqual(['0: to-its-end-free 53'])
  })

  it('goes on in the next window', async () => {
    const did = await playedWith({ blockedForMs: 0, refused: 0 })
    expect(did.slice(0, 5)).toEqual([
      '0: atOnce-free 2',
      '0.4: half-free 3',
      '0.8: rest-free 50',
      '1.5: 1',
      '1.75: again-free 50',
    ])
  })

  it('spends a bucket once more, amid its refill', async () => {
    const did = await playedWith({ blockedForMs: 0, refused: 0, refusedAtOnce: 1, refusedAmid: 43 })
    expect(did).toEqual(['0: atOnce-free 2', '0.7: amid-refill-free 50'])
  })

  it('spends a bucket amid its refill as often as asked for, until a whole window is back', async () => {
    const spentWith = (refusedAmid: number) =>
      playedWith({ blockedForMs: 0, refused: 0, refusedAtOnce: 1, refills: 3, refusedAmid, refusedUntil: 2_000 })
    const at = (did: readonly string[]) =>
      did.filter((each) => each.includes('amid')).map((each) => Number.parseFloat(each))
    expect(at(await spentWith(43))).toEqual([0.7, 1.4, expect.closeTo(2.1)])
    expect(at(await spentWith(40))).toEqual([0.7])
  })

  it.each([
    [10, ['0: atOnce-free 2', '0.4: amid-weighed-free 5', '0.8: amid-weighed-free 5']],
    [300, ['0: atOnce-free 60', '0.15: amid-weighed-free 150', '0.3: amid-weighed-free 150']],
  ])('spends a sliding counter of %d twice while the window before loses weight', async (limit, parts) => {
    const did = await playedWith({ blockedForMs: 0, refused: 0, refusedAtOnce: 1, carriesOver: true, limit })
    expect(did).toEqual(parts)
  })

  it('spends a bucket that is too fast for clocks in the parts of windows', async () => {
    const did = await playedWith({ blockedForMs: 0, refused: 0, refusedAtOnce: 1, limit: 3_000 })
    expect(did[1]).toBe('0.4: half-free 900')
  })

  it('goes on in the next window, where one ended meanwhile', async () => {
    const did = await playedWith({
      blockedForMs: 0,
      refused: 0,
      refusedAtOnce: 1,
      refusedAmid: 40,
      refusedUntil: 2_000,
    })
    expect(did.filter((each) => each.includes('free'))).toEqual([
      '0: atOnce-free 2',
      '0.7: amid-refill-free 50',
      '1.75: again-free 50',
      '1.75: more-0-free 50',
    ])
  })

  it('asks for the last of the smallest key one after the other, within the same load', async () => {
    const loads: LoadPlan[] = []
    const did = await playedWith({ blockedForMs: 0, refused: 0, limit: 60, loads })
    expect(did.slice(2, 5)).toEqual(['0.8: rest-free 22', '0.8: alone-free 10', '0.8: beyond-free 30'])
    expect(loads[3]).toMatchObject({ connections: 1, stop: { kind: 'status', is: [429] } })
  })

  it.each<[string, Return | undefined, number, string[], number?]>([
    [
      'ends behind the window, where the end of the one before is known as well',
      { refusedAt: -20, servedAt: 0 },
      0,
      ['behind-free 2'],
    ],
    [
      'spends once more what came back bit by bit',
      { refusedAt: -20, servedAt: 0 },
      1,
      ['behind-free 2', 'once-more-free 5'],
    ],
    [
      'spends once more what came back before any window can have ended',
      undefined,
      1,
      ['behind-free 2', 'once-more-free 5'],
      1_800,
    ],
    ['goes on behind a window that ended early', undefined, 0, ['behind-free 2', 'again-free 50'], 1_800],
    ['goes on, where that was not seen', undefined, 0, ['again-free 50', 'more-0-free 50']],
    [
      'goes on, where a twentieth of a window lay between its refusal and its return',
      { refusedAt: -100, servedAt: 0 },
      0,
      ['again-free 50', 'more-0-free 50'],
    ],
  ])('%s', async (_, returned, refusedBehind, loads, refusedUntil = 2_000) => {
    const did = await playedWith({ blockedForMs: 0, refused: 6, refusedBehind, returned, refusedUntil })
    const sent = did.flatMap((each) => (each.includes('-free') ? [each.replace(/^.*: /, '')] : []))
    expect(sent.slice(3, 5)).toEqual(loads)
  })

  it('is sent again half a window out of step, where a refusal blocks the key and nothing was refused', async () => {
    const did = await playedWith({ blockedForMs: 10_000, refused: 0 })
    expect(did).toEqual([
      '0.4: half-free 5',
      '0.8: rest-free 10',
      '2.5: 1',
      '2.9: half-out-of-step-free 5',
      '3.3: rest-out-of-step-free 6',
      '3.47: 1',
    ])
  })

  it('is not, where something was refused: the block has begun', async () => {
    const did = await playedWith({ blockedForMs: 10_000, refused: 6 })
    expect(did).toContain('1.75: again-free 10')
  })

  it('sends no more than it declares', async () => {
    const declared = split.cost(free, split.settings.parse({}), [free]).keyed
    const never = { refused: 6, refusedUntil: Number.POSITIVE_INFINITY }
    const refilled = { refused: 0, refusedAtOnce: 1, refusedUntil: Number.POSITIVE_INFINITY }
    for (const part of [{ refused: 0 }, { refused: 6 }, { refused: 0, isShort: true }, never, refilled])
      for (const blockedForMs of [0, 10_000])
        expect(sentIn(await playedWith({ blockedForMs, ...part }))).toBeLessThanOrEqual(declared)
  })
})
