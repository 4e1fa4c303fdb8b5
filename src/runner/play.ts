import { operations } from '../contract/operations.js'
import { windowMs } from '../contract/plans.js'
import { type Evidence, evidenceOf } from '../evidence/evidence.js'
import type { Journal, ProbeEnd, RunHead } from '../evidence/journal.js'
import { loadRowRecord } from '../evidence/load-rows.js'
import type { Redactor } from '../evidence/redaction.js'
import type { Client } from '../http/client.js'
import { defaultExchangeLimits, type ExchangeLimits } from '../http/exchange-limits.js'
import { type Clock, longestTimerMs } from '../kit/clock.js'
import { type Random, seededRandom } from '../kit/random.js'
import { UsageError } from '../kit/usage-error.js'
import { runLoad } from '../load/run-load.js'
import {
  type KeyFacts,
  type LoadOutcome,
  type LoadPlan,
  type Probe,
  ProbeBlocked,
  ProbeSkipped,
  type Question,
  type Stage,
} from '../probes/probe.js'
import {
  Budget,
  keysOf,
  mainKeyOf,
  onePerPlan,
  plannedRequests,
  type ScheduledProbe,
  standInRestore,
} from './budget.js'
import { type Ceilings, slowedShape, usualCeilings } from './ceilings.js'
import type { EarlierPart } from './earlier-part.js'
import { createInventoryKeeper, type InventoryKeeper } from './inventory-keeper.js'
import { createLane, type Lane } from './lane.js'
import { latenessOf, ledgerOf } from './load-ledger.js'
import { grouped } from './probe-groups.js'
import { createRunLog, type Progress, type RunLog } from './run-log.js'
import { watchStandstill } from './standstill.js'
import { refusalsIn, toldBy } from './told.js'

export interface RunSetup {
  readonly head: RunHead
  readonly scheduled: readonly ScheduledProbe[]
  readonly journal: Journal
  readonly client: Client
  readonly redactor: Redactor
  /** A key's Authorization value, for the load generator; never recorded. */
  readonly authorization: (key: string) => string
  readonly clock: Clock
  readonly startedAt: number
  /** Aborted by Ctrl-C; the run then ends in order. */
  readonly interrupt: AbortSignal
  readonly loadAllowed: boolean
  readonly tls?: { readonly ca?: string; readonly insecure?: boolean }
  /** Where the load's connections go; the client is told for itself. */
  readonly pinnedAddress?: string
  readonly limits?: Partial<Pick<ExchangeLimits, 'connectMs' | 'headMs'>>
  /** The longest that the run may take; twice its planned time and a minute unless told. */
  readonly timeLimitMs?: number
  readonly ceilings?: Ceilings
  /** The part of the run that was played before it stopped: what it did is not done again. */
  readonly earlier?: EarlierPart
  /** What is to be noted before anything is sent. */
  readonly remarks?: readonly string[]
  readonly watch: (event: Progress) => void
}

export interface PlayedRun {
  readonly evidence: Evidence
  /** Errors of the harness itself, with their probes. */
  readonly crashes: readonly { readonly probe: string; readonly error: unknown }[]
}

/** How long putting the inventory back may take once the run is over or interrupted. */
const restoreTimeMs = 30_000

const reasonOf = ({ reason }: AbortSignal): string => (reason instanceof Error ? reason.message : String(reason))

const isPlayedTogether = ({ played }: Probe): boolean => played === 'together' || played === 'all-keys'

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** Plays a scenario: every probe on its keys, everything written down as it happens, the inventory put back. */
export const playRun = async (setup: RunSetup): Promise<PlayedRun> => {
  const { head, journal, clock, startedAt } = setup
  const broken = new AbortController()
  const { earlier } = setup
  const log = createRunLog(journal, head.wallStartMs, setup.watch, (error) => broken.abort(error), earlier?.saved)
  log.write(earlier ? { type: 'resumed', at: clock.monotonicMs() - startedAt } : head)
  // Nothing goes out that would not be on record.
  if (broken.signal.aborted) throw new UsageError(`--out: the journal can't be written: ${reasonOf(broken.signal)}`)
  for (const each of setup.remarks ?? []) log.note(earlier ? clock.monotonicMs() - startedAt : 0, each)
  const run = new Run(setup, log, broken.signal)
  const interrupted = await run.play()
  log.write({ type: 'end', at: clock.monotonicMs() - startedAt, interrupted })
  return { evidence: evidenceOf({ records: log.records, ledgers: log.ledgers, unreadable: [] }), crashes: run.crashes }
}

class Run {
  readonly crashes: { probe: string; error: unknown }[] = []
  readonly #setup: RunSetup
  readonly #log: RunLog
  readonly #budget: Budget
  readonly #keeper: InventoryKeeper
  readonly #random: Random
  readonly #lanes = new Map<string, Lane>()
  readonly #signal: AbortSignal
  #keys: KeyFacts[]
  /** The target answered a load with 5xx: no other is put on it. */
  #loadsStopped = false

  constructor(
    setup: RunSetup,
    log: RunLog,
    readonly broken: AbortSignal,
  ) {
    const { head, interrupt, timeLimitMs = 2 * head.planned.durationMs + 60_000 } = setup
    this.#setup = setup
    this.#log = log
    this.#budget = new Budget(head.planned.requests)
    this.#keeper = createInventoryKeeper(log, head.readOnly)
    this.#random = seededRandom(head.seed)
    this.#keys = head.keys
    this.#signal = AbortSignal.any([interrupt, broken, AbortSignal.timeout(Math.min(timeLimitMs, longestTimerMs))])
  }

  /** Plays everything; true where it was interrupted. */
  async play(): Promise<boolean> {
    const groups = grouped(this.#setup.scheduled)
    for (const group of groups) {
      if (this.#keys.length === 0 || this.#signal.aborted) break
      await this.#playGroup(group)
      if (group[0].probe.id === 'hello') this.#keepAcceptedKeys()
    }
    await this.#restoreAtLast(this.#signal.aborted ? AbortSignal.timeout(restoreTimeMs) : this.#signal)
    this.#tellEnd()
    return this.#setup.interrupt.aborted
  }

  #tellEnd(): void {
    const { broken } = this
    if (broken.aborted) {
      this.#log.note(
        this.#now(),
        `the journal could not be written any more, so the run was ended: ${reasonOf(broken)}`,
      )
      this.crashes.push({ probe: 'journal', error: broken.reason })
    } else if (this.#signal.aborted && !this.#setup.interrupt.aborted) {
      this.#log.note(this.#now(), 'the time limit of the run was reached')
    }
  }

  /** What ended a probe from outside. */
  #interruption(): string {
    if (this.broken.aborted) return 'journal-broken'
    return this.#setup.interrupt.aborted ? 'interrupted' : 'time-limit'
  }

  #now(): number {
    return this.#setup.clock.monotonicMs() - this.#setup.startedAt
  }

  /** Probes on every key run side by side, key by key in order; a probe that is played once has the target to itself. */
  async #playGroup(group: readonly ScheduledProbe[]): Promise<void> {
    const playedOn = (probe: Probe) => (isPlayedTogether(probe) ? [mainKeyOf(this.#keys)] : keysOf(probe, this.#keys))
    const names = new Set(group.flatMap(({ probe }) => playedOn(probe).map(({ name }) => name)))
    const lanes = this.#keys.filter(({ name }) => names.has(name))
    await Promise.all(
      lanes.map(async (key) => {
        for (const { probe, settings } of group) {
          if (playedOn(probe).some(({ name }) => name === key.name)) await this.#playProbe(probe, settings, key)
        }
      }),
    )
  }

  async #playProbe(probe: Probe, settings: ScheduledProbe['settings'], key: KeyFacts): Promise<void> {
    const report = (end: ProbeEnd['end'], reason: string) => {
      const record: ProbeEnd = {
        type: 'probe',
        probe: probe.id,
        key: probe.played === 'each-key' ? key.name : null,
        at: this.#now(),
        end,
        reason,
      }
      this.#log.write(record)
      this.#log.progress({
        kind: 'probe',
        at: record.at,
        probe: probe.id,
        key: key.name,
        state: reason === '' ? end : `${end}: ${reason}`,
      })
    }
    if (this.#setup.earlier?.wasPlayed(probe.id, probe.played === 'each-key' ? key.name : null)) return
    if (this.#signal.aborted) return report('interrupted', 'not played')
    this.#log.progress({ kind: 'probe', at: this.#now(), probe: probe.id, key: key.name, state: 'started' })
    try {
      if (probe.played !== 'once' && !probe.spendsDay) this.#leaveRoomInDay(probe, settings, key)
      await probe.play(this.#stage(probe, key), settings)
      if (probe.played === 'once') await this.#restore(mainKeyOf(this.#keys), this.#signal)
      report('completed', '')
    } catch (error) {
      if (error instanceof ProbeSkipped) report('skipped', error.reason)
      else if (error instanceof ProbeBlocked) report('failed', error.reason)
      else if (isAbort(error) || this.#signal.aborted) report('interrupted', this.#interruption())
      else {
        this.crashes.push({ probe: probe.id, error })
        report('failed', `crashed: ${error instanceof Error ? error.message : String(error)}`)
      }
      if (probe.played === 'once' && !this.#signal.aborted) await this.#restore(mainKeyOf(this.#keys), this.#signal)
    }
  }

  /** A load that could spend the key's day is not put on it: nobody asked for that. */
  #leaveRoomInDay(probe: Probe, settings: ScheduledProbe['settings'], key: KeyFacts): void {
    const played = isPlayedTogether(probe) ? keysOf(probe, this.#keys) : [key]
    for (const each of played) {
      const needed = probe.cost(each, settings, this.#keys).keyed
      const left = this.#lane(each).dayLeft()
      if (needed <= left) continue
      const day = `${left} of the ${each.quota.day} requests of its day are left`
      this.#log.note(
        this.#now(),
        `${each.name}: ${probe.id} was left out: it takes up to ${needed} requests, and ${day}`,
      )
      throw new ProbeSkipped('day-too-small')
    }
  }

  async #restore(key: KeyFacts, signal: AbortSignal, probe?: string): Promise<boolean> {
    try {
      return await this.#keeper.restore(this.#lane(key), signal, probe)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#log.note(this.#now(), `the inventory could not be put back yet: ${why}`)
      return false
    }
  }

  /** The main key may be spent for the day, or banned, by then: the others can tell what is there, and put it back. */
  async #restoreAtLast(signal: AbortSignal): Promise<void> {
    if (this.#keys.length === 0) return
    const main = mainKeyOf(this.#keys)
    if (await this.#restore(main, signal)) return
    for (const key of onePerPlan(this.#keys)) {
      if (key.name !== main.name && (await this.#restore(key, signal, standInRestore))) return
    }
  }

  /** A key that the target does not know is no use to any later probe. */
  #keepAcceptedKeys(): void {
    const rejected = new Set(
      this.#log.records.flatMap((each) =>
        each.type === 'exchange' && each.probe === 'hello' && each.response?.status === 401 ? [each.key] : [],
      ),
    )
    const unreached = this.#log.records.filter((each) => each.type === 'exchange' && each.probe === 'hello')
    if (unreached.every((each) => each.type === 'exchange' && each.response === null)) this.#keys = []
    this.#keys = this.#keys.filter(({ name }) => !rejected.has(name))
    for (const name of rejected) this.#log.note(this.#now(), `the ${name} key was not accepted (401)`)
    // Single exchanges may have to be played on another key now.
    if (this.#keys.length > 0) this.#budget.extend(plannedRequests(this.#setup.scheduled, this.#keys))
  }

  #lane(key: KeyFacts): Lane {
    const known = this.#lanes.get(key.name)
    if (known) return known
    const { client, clock, startedAt, head } = this.#setup
    const lane = createLane({
      key,
      minuteMs: windowMs('minute', head.timeScale),
      client,
      clock,
      startedAt,
      log: this.#log,
      budget: this.#budget,
      signal: this.#signal,
      mostPerSecond: this.#mostPerSecond(),
      usedBefore: this.#setup.earlier?.used(key.name),
    })
    this.#lanes.set(key.name, lane)
    return lane
  }

  /** What each key may send in a second, so that all of them together stay below the ceiling. */
  #mostPerSecond(): number | undefined {
    const most = this.#setup.ceilings?.mostRequestsPerSecond
    return most === undefined ? undefined : most / Math.max(1, this.#keys.length)
  }

  #stage(probe: Probe, key: KeyFacts): Stage {
    const lane = this.#lane(key)
    const { head } = this.#setup
    // Noted whatever comes of it: an interrupted write may have taken effect, and what was read before may no longer hold.
    const noted = (question: Question, send: Lane['ask']) =>
      send(probe.id, question).finally(() => {
        if (question.operation === 'updateInventory' || question.method === 'PATCH')
          this.#keeper.wrote(lane.now() + 1e-3)
      })
    return {
      key,
      isMain: key.name === mainKeyOf(this.#keys).name,
      others:
        isPlayedTogether(probe) && key.name === mainKeyOf(this.#keys).name
          ? keysOf(probe, this.#keys)
              .filter(({ name }) => name !== key.name)
              .map((other) => this.#stage(probe, other))
          : [],
      keys: this.#keys,
      minuteMs: windowMs('minute', head.timeScale),
      dayMs: windowMs('day', head.timeScale),
      readOnly: head.readOnly,
      random: this.#random,
      now: lane.now,
      lastUsedAt: lane.lastUsedAt,
      longestRoundTripMs: lane.longestRoundTripMs,
      waitUntil: (at, why) => lane.waitUntil(at, why),
      ask: (question) => noted(question, lane.ask),
      askOnce: (question) => noted(question, lane.askOnce),
      inventory: (step) => this.#keeper.read(lane, probe.id, step),
      willTouch: (pet) => this.#keeper.willTouch(pet),
      restore: async () => void (await this.#keeper.restore(lane)),
      told: (x) => toldBy(x, this.#log.clock()),
      load: (plan) => this.#load(probe, lane, { ...plan, id: this.#freshLedgerId(plan.id) }),
      spentBefore: () => this.#setup.earlier?.loaded(probe.id, key.name) ?? { sent: 0, refused: 0 },
    }
  }

  /** A load that is gone on with has a ledger for each of its parts. */
  #freshLedgerId(id: string): string {
    const taken = new Set(this.#setup.earlier?.saved.ledgers.map(({ head }) => head.id))
    let part = 1
    while (taken.has(part === 1 ? id : `${id}-part-${part}`)) part += 1
    return part === 1 ? id : `${id}-part-${part}`
  }

  async #load(probe: Probe, lane: Lane, plan: LoadPlan): Promise<LoadOutcome> {
    const { head, loadAllowed, authorization, redactor, clock, startedAt, tls, pinnedAddress, limits } = this.#setup
    if (!loadAllowed) throw new ProbeBlocked('load-not-allowed')
    if (this.#loadsStopped) throw new ProbeBlocked('server-errors')
    const perSecond = this.#mostPerSecond()
    const { mostServerErrorPercent } = this.#setup.ceilings ?? usualCeilings
    const standstill = watchStandstill(clock)
    const told = { ledger: plan.id, probe: probe.id, key: lane.key.name }
    const result = await runLoad(
      {
        url: `${head.baseUrl}${operations.listInventory.path}`,
        method: operations.listInventory.method,
        headers: { Authorization: authorization(lane.key.name), Accept: 'application/json' },
        connections: plan.connections,
        amount: plan.amount,
        shape: perSecond === undefined ? plan.shape : slowedShape(plan.shape, plan.amount, perSecond),
        stopWhen: plan.stopWhen,
        abortsInOrder: plan.rowByRow,
        onRow: plan.rowByRow ? (row) => this.#log.row(loadRowRecord(told, row)) : undefined,
        mostServerErrorPercent,
        timeoutMs: Math.max(limits?.headMs ?? defaultExchangeLimits.headMs, longestHeldMs(head.timeScale)),
        connectTimeoutMs: limits?.connectMs,
        pinnedAddress,
        signal: this.#signal,
        tls,
        redact: redactor.redact,
      },
      clock,
      startedAt,
    ).finally(standstill.end)
    const { sent, problem } = result
    this.#loadsStopped ||= result.end === 'server-errors'
    if (problem !== null) this.#log.note(lane.now(), `${plan.id}: ${problem}`)
    const ledger = ledgerOf(told, result, standstill.longestMs())
    this.#log.ledger(ledger)
    const lateness = latenessOf(ledger)
    if (lateness !== null) this.#log.note(this.#now(), lateness)
    this.#log.progress({ kind: 'sent', at: lane.now(), count: sent })
    const last = result.rows.length > 0 ? result.rows.sentUs[result.rows.length - 1] / 1000 : lane.now()
    lane.loaded(probe.id, sent, last)
    this.#signal.throwIfAborted()
    return { ledger, ...refusalsIn(ledger.rows, this.#log.clock()) }
  }
}

/** What is held for half a window is held back (THROTTLE-1): a load listens for longer, so that this can be seen. */
const longestHeldMs = (timeScale: number): number => Math.min(windowMs('minute', timeScale) / 2, 10_000) + 100
