import type { ProbeEnd } from '../../evidence/journal.js'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import { createInventoryKeeper, type InventoryKeeper } from '../../petstore/inventory-keeper.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import { DayUsedUp, type KeyFacts, type Probe, ProbeBlocked, ProbeSkipped, type Room } from '../../probes/probe.js'
import {
  Budget,
  isLeftAlone,
  isPlayedApart,
  keysOf,
  onePerPlan,
  plannedRequests,
  type ScheduledProbe,
  standInRestore,
} from '../plan/budget.js'
import { type DayRoom, dayRoom, usualOf } from '../plan/day-room.js'
import { fittingIn, grouped, type Section, sectionsOf } from '../plan/planning.js'
import { againAtMost, daysLast, playedAgain, turnsAgain } from '../plan/play-again.js'
import type { RunSetup } from '../run-setup.js'
import { createEvents, type Events } from './events.js'
import { firstLookOf } from './first-look.js'
import { createProbeContexts, isPlayedTogether } from './probe-contexts.js'
import { type RunEnd, watchRunEnd } from './run-end.js'
import { createRunLog, type RunLog } from './run-log.js'
import { createUsageBook, type UsageBook } from './usage-book.js'

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** Plays a scenario: every probe on its keys, everything written down as it happens, the inventory put back. */
export const playRun = async (setup: RunSetup) => {
  const { head, journal, clock, startedAt } = setup
  const broken = new AbortController()
  const { earlier } = setup
  const log = createRunLog(journal, head, setup.watch, (error) => broken.abort(error), earlier?.saved)
  log.write(earlier ? { type: 'resumed', at: clock.monotonicMs() - startedAt } : head)
  // Nothing is sent that could not be recorded.
  if (broken.signal.aborted) throw new UsageError(`--out: the journal can't be written: ${whyOf(broken.signal.reason)}`)
  for (const each of setup.remarks ?? []) log.note(earlier ? clock.monotonicMs() - startedAt : 0, each)
  const sender = setup.openSender(log.exchange)
  const ending = watchRunEnd(setup, sender, broken.signal)
  const run = new Run(setup, log, ending)
  await run
    .play()
    .finally(ending.clear)
    .finally(() => sender.close())
  const cause = ending.cause()
  const interrupted = setup.interrupt.aborted
  const early = cause === undefined || cause === 'interrupted' ? {} : { cause }
  log.write({ type: 'end', at: clock.monotonicMs() - startedAt, interrupted, ...early })
  return { evidence: log.evidence(), crashes: run.crashes }
}

/** A section of the run while it is played, with the keys that the target has not rejected. */
interface Part {
  readonly section: Section
  readonly contexts: ReturnType<typeof createProbeContexts>
  keys: readonly KeyFacts[]
}

class Run {
  readonly crashes: { probe: string; error: unknown }[] = []
  readonly #setup: RunSetup
  readonly #log: RunLog
  readonly #budget: Budget
  readonly #keeper: InventoryKeeper
  readonly #parts: readonly Part[]
  readonly #book: UsageBook
  readonly #signal: AbortSignal
  readonly #events: Events | undefined
  #isEndTold = false

  constructor(
    setup: RunSetup,
    log: RunLog,
    readonly ending: RunEnd,
  ) {
    const { head } = setup
    this.#setup = setup
    this.#log = log
    this.#budget = new Budget(head.planned.requests)
    this.#keeper = createInventoryKeeper(log, head.readOnly)
    this.#signal = ending.signal
    const sections = sectionsOf(head, setup.scheduled)
    this.#book = createUsageBook(sections[0]?.contract.quotas ?? [], head.timeScale)
    const { events: given, clock, startedAt } = setup
    const { fail, signal } = ending
    const happened = log.records.flatMap((each) => (each.type === 'event' ? [each.name] : []))
    this.#events = given && createEvents({ ...given, happened, clock, startedAt, log, fail, signal })
    const ways = { ...ending, events: this.#events, log, budget: this.#budget, keeper: this.#keeper, book: this.#book }
    this.#parts = sections.map((section) => {
      const part: Part = {
        section,
        keys: section.keys,
        contexts: createProbeContexts({ run: setup, section, ...ways, keys: () => part.keys }),
      }
      return part
    })
  }

  async play(): Promise<void> {
    const planned = this.#parts.map((part) => ({ part, groups: grouped(part.section.scheduled) }))
    for (const { part, groups } of planned) await this.#playGroup(part, groups[0])
    if (!this.#signal.aborted && !this.#lookFirst()) {
      for (const { part, groups } of planned) {
        for (const group of groups.slice(1)) if (!this.#signal.aborted) await this.#playGroup(part, group)
      }
      await this.#playAgain()
    }
    this.#tellEnd()
    const [first] = this.#parts
    if (first) {
      const wasEnded = this.#signal.aborted
      await this.#restoreInTime(first)
      // The run's end may come meanwhile: then there is as much time for it as if it had come before.
      if (!wasEnded && this.#signal.aborted) await this.#restoreInTime(first)
    }
    this.#tellEnd()
    for (const { name, during } of this.#events?.left() ?? [])
      this.#log.note(this.#now(), `${name} did not happen: no load of ${during} got that far`)
    for (const each of this.#log.leftOut()) this.#log.note(this.#now(), each)
  }

  /**
   * Plays probes again whose checks were left open for want of evidence, now that nothing else is under way: a target
   * that is slow, or a machine that is busy, may show more then.
   */
  async #playAgain(): Promise<void> {
    const turns = turnsAgain(this.#parts.flatMap(({ keys }) => keys))
    const { againMs = Number.POSITIVE_INFINITY } = this.#setup.head.planned
    let leftMs = againMs
    for (let turn = 1; turn <= turns; turn += 1) {
      if (this.#signal.aborted) return
      const { loadAllowed } = this.#setup
      const asked = playedAgain(this.#log.evidence(), turn).filter(({ probe }) => loadAllowed || !probe.isLoad)
      const again = daysLast(asked, turn === turns)
      const groups = this.#parts.flatMap((part) =>
        grouped(again.filter(({ quota }) => quota === part.section.name)).map((group) => ({ part, group })),
      )
      for (const { part, group } of groups) {
        if (this.#signal.aborted) return
        const { keys, section } = part
        const fitting = fittingIn(group, { keys, windowMs: section.windowMs }, leftMs)
        const startedAt = this.#now()
        for (const { probe, asking } of fitting)
          this.#log.note(
            startedAt,
            `${probe.id} is played again: the evidence so far could not show every breach of ${asking.join(', ')}`,
          )
        await this.#playGroup(part, fitting)
        leftMs -= this.#now() - startedAt
      }
      if (again.length === 0) return
    }
  }

  /** Notes what ended the run early, once: before the inventory is put back, or after it. */
  #tellEnd(): void {
    const told = this.ending.told()
    if (told === undefined || this.#isEndTold) return
    this.#isEndTold = true
    this.#log.note(this.#now(), told)
    const { broken } = this.ending
    if (broken.aborted) this.crashes.push({ probe: 'journal', error: broken.reason })
  }

  #now(): number {
    return this.#setup.clock.monotonicMs() - this.#setup.startedAt
  }

  /** Plays a group on all its keys side by side, and on each key one probe after the other. */
  async #playGroup(part: Part, group: readonly ScheduledProbe[]): Promise<void> {
    const { keys } = part
    if (keys.length === 0) return
    const playedOn = (probe: Probe) => (isPlayedTogether(probe) ? [mainKeyOf(keys)] : keysOf(probe, keys))
    const names = new Set(group.flatMap(({ probe }) => playedOn(probe).map(({ name }) => name)))
    const played = keys.filter(({ name }) => names.has(name))
    await Promise.all(
      played.map(async (key) => {
        for (const { probe, settings } of group) {
          if (playedOn(probe).some(({ name }) => name === key.name)) await this.#playProbe(part, probe, settings, key)
        }
      }),
    )
  }

  async #playProbe(part: Part, probe: Probe, settings: ScheduledProbe['settings'], key: KeyFacts): Promise<void> {
    const { name: quota } = part.section
    if (isLeftAlone({ probe, settings }, part.section.scheduled, key, part.keys)) return
    const keys = isPlayedTogether(probe) ? keysOf(probe, part.keys).map(({ name }) => name) : undefined
    const told = { kind: 'probe', probe: probe.id, key: key.name, ...(keys && { keys }) } as const
    const report = (end: ProbeEnd['end'], reason: string, room?: Room) => {
      const record: ProbeEnd = {
        type: 'probe',
        probe: probe.id,
        key: isPlayedApart(probe) ? key.name : null,
        ...(quota !== undefined && { quota }),
        at: this.#now(),
        end,
        reason,
        ...(room && { room }),
      }
      this.#log.write(record)
      this.#log.progress({ ...told, at: record.at, state: reason === '' ? end : `${end}: ${reason}` })
    }
    if (this.#setup.earlier?.wasPlayed(probe.id, isPlayedApart(probe) ? key.name : null)) return
    if (this.#signal.aborted) return report('interrupted', 'not played')
    this.#log.progress({ ...told, at: this.#now(), state: 'started' })
    const isSingle = probe.played === 'once'
    try {
      await this.#waitForOthers(part, { probe, settings }, key)
      const room = this.#roomInDay(part, { probe, settings }, key)
      await probe.play(part.contexts.contextOf(probe, key, room), settings)
      if (isSingle) await this.#restore(part, mainKeyOf(part.keys), this.#signal)
      report('completed', '', room.cutTo)
    } catch (error) {
      if (error instanceof ProbeSkipped) report('skipped', error.reason, error.room)
      else if (error instanceof DayUsedUp) report('completed', error.message, error.room)
      else if (error instanceof ProbeBlocked) report('failed', error.reason)
      else if (isAbort(error) || this.#signal.aborted) report('interrupted', this.ending.cause() ?? 'interrupted')
      else {
        this.crashes.push({ probe: probe.id, error })
        report('failed', `crashed: ${whyOf(error)}`)
      }
      if (isSingle && !this.#signal.aborted) await this.#restore(part, mainKeyOf(part.keys), this.#signal)
    }
  }

  /** What the day has left for a probe: a load that could spend it unasked is cut, or left out. */
  #roomInDay(part: Part, { probe, settings }: ScheduledProbe, key: KeyFacts): DayRoom {
    const { keys, contexts, section } = part
    return dayRoom({
      probe,
      settings,
      played: isPlayedTogether(probe) ? keysOf(probe, keys) : [key],
      keys,
      dayLeft: (each) =>
        Math.min(this.#book.leftBeside(section.quota, each, this.#now()), contexts.sessionOf(each).dayLeft()),
      log: this.#log,
      now: () => this.#now(),
    })
  }

  /** Waits until the quotas beside have room for what a probe sends, unless that takes too long. */
  async #waitForOthers(
    { section, keys, contexts }: Part,
    { probe, settings }: ScheduledProbe,
    key: KeyFacts,
  ): Promise<void> {
    for (const each of isPlayedTogether(probe) ? keysOf(probe, keys) : [key]) {
      const requests = usualOf({ probe, settings, keys }, each)
      for (const { at, why } of this.#book.waitsBeside(section.quota, each, requests))
        await contexts.sessionOf(each).waitUntil(at, why)
    }
  }

  async #restore(part: Part, key: KeyFacts, signal: AbortSignal, probe?: string): Promise<boolean> {
    try {
      return await this.#keeper.restore(part.contexts.sessionOf(key), signal, probe)
    } catch (error) {
      const why = whyOf(error)
      this.#log.note(this.#now(), `the inventory could not be put back yet: ${why}`)
      return false
    }
  }

  async #restoreInTime(part: Part): Promise<void> {
    const restoring = this.ending.restoring()
    await this.#restoreAtLast(part, restoring.signal).finally(restoring.clear)
  }

  /** Puts the inventory back at the end; with another key where the main one is spent for the day or banned. */
  async #restoreAtLast(part: Part, signal: AbortSignal): Promise<void> {
    const { keys } = part
    if (keys.length === 0) return
    const main = mainKeyOf(keys)
    if (await this.#restore(part, main, signal)) return
    for (const key of onePerPlan(keys)) {
      if (signal.aborted) return
      if (key.name !== main.name && (await this.#restore(part, key, signal, standInRestore))) return
    }
  }

  /** Looks at what hello saw, and puts it on record; true where nothing else is to be played. */
  #lookFirst(): boolean {
    const { head, scheduled, loadAllowed } = this.#setup
    const { ended, rejected } = firstLookOf(this.#log, this.#now(), {
      loads: loadAllowed ? [] : scheduled.flatMap(({ probe }) => (probe.isLoad ? [probe.id] : [])),
      without: { rejectedKeys: head.withoutRejectedKeys ?? false, load: head.withoutLoad ?? false },
    })
    for (const part of this.#parts) {
      part.keys = part.keys.filter(({ name, credential = name }) => !rejected.includes(credential))
      if (part.keys.length === 0) continue
      // Single exchanges may now be played on another key, which has to be planned for.
      const { scheduled } = part.section
      this.#budget.extend(plannedRequests(scheduled, part.keys, againAtMost(scheduled, head, part.keys)))
    }
    return ended
  }
}
