import { agreedBlockMs, longestBlockMs } from '../../contract/partitions.js'
import { type Random, seededRandom, seedOfPart } from '../../kit/random.js'
import type { createInventoryKeeper } from '../../petstore/inventory-keeper.js'
import { isNamedLong, mostWindowsForQuota } from '../../probes/moves/gentle.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import { withoutWrongKeys } from '../../probes/moves/refused-key.js'
import type { KeyFacts, LoadOutcome, LoadPlan, Probe, ProbeContext, Question } from '../../probes/probe.js'
import type { ExchangeSender } from '../../wire/http/exchange-sender.js'
import { scheduleShape } from '../../wire/load/schedule.js'
import type { DayRoom } from '../plan/budget.js'
import { type Budget, keysOf } from '../plan/budget.js'
import type { Section } from '../plan/planning.js'
import type { RunSetup } from '../run-setup.js'
import { createKeySession, type KeySession } from './key-session.js'
import { limitHintsOf } from './limit-hints.js'
import { createLoads, type LoadWays } from './play-load.js'
import type { RunLog } from './run-log.js'
import type { UsageBook } from './usage-book.js'

/** A load whose schedule takes this long is reported when it begins. */
const longLoadMs = 5_000

/** A reading that begins at the moment a write ends may be older than the write, so the write counts as later. */
const justAfterMs = 1e-3

/** Whether a probe is played once and uses several keys together. */
export const isPlayedTogether = ({ played }: Probe): boolean => played === 'together' || played === 'all-keys'

/** Reads the inventory, remembers what every pet was before the run touched it, and puts it back. */
type InventoryKeeper = ReturnType<typeof createInventoryKeeper>

interface ProbeContextSetup extends LoadWays {
  readonly run: RunSetup
  readonly sender: ExchangeSender
  readonly log: RunLog
  readonly budget: Budget
  readonly keeper: InventoryKeeper
  readonly section: Section
  readonly book: UsageBook
  readonly keys: () => readonly KeyFacts[]
}

export const createProbeContexts = (setup: ProbeContextSetup) => {
  const { run, log, keeper, section, book, keys } = setup
  const { head, clock, startedAt, earlier, ceilings } = run
  const { windowMs, quota, contract } = section
  const streams = new Map<string, Random>()
  /** Each probe has its own random stream on each key, so other probes do not change what it asks. */
  const randomOf = (probe: Probe, key: KeyFacts): Random => {
    const name = `${probe.id} ${key.name}`
    const stream = streams.get(name) ?? seededRandom(seedOfPart(head.seed, name))
    streams.set(name, stream)
    return stream
  }
  const sessions = new Map<string, KeySession>()

  /** A key that is served after a block may have got no quota back. */
  const isBlocking = agreedBlockMs(contract) !== undefined
  /** All keys share one kind of limiter: what one key shows holds for all. */
  const carriesOver = () => [...sessions.values()].some((each) => each.carriesOver())
  const namesLongWaits = () => [...sessions.values()].some((each) => isNamedLong(each.lastReturn()))

  /** What a key may send per second: its share of the run's ceiling, and what its other quotas allow. */
  const mostPerSecond = (key: KeyFacts): number | undefined => {
    const most = ceilings?.mostRequestsPerSecond
    const share = most === undefined ? Number.POSITIVE_INFINITY : most / Math.max(1, keys().length)
    const perWindow = key.isSpentInGroups ? undefined : key.mostPerWindow
    const least = Math.min(share, ((perWindow ?? Number.POSITIVE_INFINITY) * 1000) / windowMs)
    return Number.isFinite(least) ? least : undefined
  }
  const playLoad = createLoads(run, log, setup, mostPerSecond)

  const sessionOf = (key: KeyFacts): KeySession => {
    const known = sessions.get(key.name)
    if (known) return known
    const own = { key, mostPerSecond: mostPerSecond(key), usedBefore: earlier?.used(key.name) }
    const session = createKeySession({ ...setup, head, clock, startedAt, ...own })
    sessions.set(key.name, session)
    return session
  }

  /** A schedule of groups that stays within the shorter quotas on the same requests. */
  const inGroups = (key: KeyFacts, amount: number): LoadPlan['schedule'] => ({
    kind: 'batches',
    each: book.groupsInShorter(quota, key, amount, clock.monotonicMs() - startedAt),
  })

  /** A load that goes at once, so small that each of its refusals tells which quota gave it. */
  const withinClear = ({ mostAtOnce = Number.POSITIVE_INFINITY }: KeyFacts, plan: LoadPlan): LoadPlan => {
    const { amount, least = 1 } = plan
    if (plan.schedule || plan.request !== undefined) return plan
    return { ...plan, amount: Math.min(amount, mostAtOnce), least: Math.min(least, mostAtOnce) }
  }

  /** The id of a new ledger: a load that is gone on with or played again has one for each part, `daily-free-part-2`. */
  const freshLedgerId = (id: string): string => {
    const taken = new Set(log.ledgers.map((ledger) => ledger.head.id))
    let part = 1
    while (taken.has(part === 1 ? id : `${id}-part-${part}`)) part += 1
    return part === 1 ? id : `${id}-part-${part}`
  }

  /** The contexts of the other keys, for a probe that uses several keys together. */
  const othersOf = (probe: Probe, key: KeyFacts, room: DayRoom): ProbeContext<string>[] => {
    if (!isPlayedTogether(probe) || key.name !== mainKeyOf(keys()).name) return []
    const others = keysOf(probe, keys()).filter(({ name }) => name !== key.name)
    return others.map((other) => contextOf(probe, other, room))
  }

  /** Puts a load on a key. Reports it as progress if it takes long, or if the probe uses several keys. */
  const loadOn = async (probe: Probe, session: KeySession, plan: LoadPlan): Promise<LoadOutcome> => {
    const lastsMs = scheduleShape(plan.schedule, plan.amount)?.(plan.amount - 1) ?? 0
    const isLong = lastsMs >= longLoadMs
    if (!isPlayedTogether(probe) && !isLong) return playLoad(probe.id, session, plan)
    const told = { kind: 'load', probe: probe.id, key: session.key.name } as const
    log.progress({ ...told, at: session.now(), ...(isLong && { planned: { amount: plan.amount, lastsMs } }) })
    const outcome = await playLoad(probe.id, session, plan)
    log.progress({ ...told, at: session.now(), sent: outcome.ledger.head.counts.sent })
    return outcome
  }

  const contextOf = (probe: Probe, key: KeyFacts, room: DayRoom): ProbeContext<string> => {
    const session = sessionOf(key)
    const random = randomOf(probe, key)
    // Even an interrupted write may have taken effect, so what was read before may be out of date.
    const noted = async (question: Question, send: KeySession['ask']) => {
      room.takeOne(key)
      return send(probe.id, question).finally(() => {
        if (question.operation === 'updateInventory' || question.method === 'PATCH')
          keeper.wrote(session.now() + justAfterMs)
      })
    }
    return {
      key,
      isMain: key.name === mainKeyOf(keys()).name,
      others: othersOf(probe, key, room),
      keys: keys(),
      windowMs,
      longestWaitMs: mostWindowsForQuota * windowMs + longestBlockMs(contract) / head.timeScale,
      blockedForMs: (agreedBlockMs(contract) ?? 0) / head.timeScale,
      unnamedWaitMs: contract.retryAfter === null ? windowMs : 0,
      readOnly: head.readOnly,
      random,
      now: session.now,
      lastUsedAt: () => book.lastUsedAt(quota, key),
      roomOf: (credential, requests) =>
        book.roomInAll({ credential, request: key.request ?? quota.requests[0] }, requests),
      windowEndAfter: session.windowEndAfter,
      lastReturn: session.lastReturn,
      namesLongWaits,
      carriesOver,
      comesBackInBits: () =>
        !isBlocking && !carriesOver() && [...sessions.values()].some((each) => each.comesBackInBits()),
      ordinary: section.ordinaryOf(key),
      spellings: withoutWrongKeys(section.spellingsOf(key), log.exchanges),
      hasInventory: section.hasInventory,
      longestRoundTripMs: session.longestRoundTripMs,
      usualRoundTripMs: session.usualRoundTripMs,
      mostPerSecond: mostPerSecond(key) ?? Number.POSITIVE_INFINITY,
      waitUntil: (at, why) => session.waitUntil(at, why),
      ask: (question) => noted(question, session.ask),
      askOnce: (question) => noted(question, session.askOnce),
      inventory: (step) => keeper.read(session, probe.id, step),
      isListed: (id) => keeper.isListed(id),
      inTurn: (pets, use) => keeper.inTurn(pets, use, random),
      willTouch: (pet) => keeper.willTouch(pet),
      restore: async () => void (await keeper.restore(session)),
      hintsOf: (x) => limitHintsOf(x, session.reads.clock(), session.reads.read),
      load: async (plan) => {
        const cut = room.cut(key, withinClear(key, plan))
        const schedule = key.isSpentInGroups && !cut.schedule ? inGroups(key, cut.amount) : cut.schedule
        return loadOn(probe, session, { ...cut, schedule, id: freshLedgerId(plan.id) })
      },
      isShort: room.isShort(key),
      hasRoom: (requests) => room.has(key, requests),
      spentBefore: () => earlier?.loaded(probe.id, key.name) ?? { sent: 0, refused: 0, refusedInRow: 0 },
    }
  }

  return { sessionOf, contextOf }
}
