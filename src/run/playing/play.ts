import { type Evidence, judgesAlike } from '../../evidence/evidence.js'
import type { ProbeEnd } from '../../evidence/journal.js'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import { createInventoryKeeper } from '../../petstore/inventory-keeper.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import { DayUsedUp, type KeyFacts, type Probe, ProbeBlocked, ProbeSkipped, type Room } from '../../probes/probe.js'
import {
  createBudget,
  type DayRoom,
  dayRoom,
  isLeftAlone,
  isPlayedApart,
  keysOf,
  onePerPlan,
  plannedRequests,
  type ScheduledProbe,
  standInRestore,
  usualOf,
} from '../plan/budget.js'
import { areInEachOthersWay, fittingIn, type Section, sectionsOf, spentOnRepeats } from '../plan/planning.js'
import { againAtMost, daysLast, playedAgain, turnsAgain } from '../plan/play-again.js'
import type { RunSetup } from '../run-setup.js'
import { createEvents } from './events.js'
import { firstLookOf } from './first-look.js'
import { createProbeContexts, isPlayedTogether } from './probe-contexts.js'
import { type RunEnd, watchRunEnd } from './run-end.js'
import { createRunLog, type RunLog } from './run-log.js'
import { createUsageBook } from './usage-book.js'

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** Plays a scenario: every probe on its keys, everything recorded as it happens, the inventory restored at the end. */
export const playRun = async (setup: RunSetup) => {
  const { head, journal, clock, startedAt } = setup
  const broken = new AbortController()
  const { earlier } = setup
  const log = createRunLog(journal, head, setup.watch, (error) => broken.abort(error), earlier?.saved)
  log.write(earlier ? { type: 'resumed', at: clock.monotonicMs() - startedAt } : head)
  // Nothing is sent if it could not be recorded.
  if (broken.signal.aborted) throw new UsageError(`--out: the journal can't be written: ${whyOf(broken.signal.reason)}`)
  for (const each of setup.remarks ?? []) log.note(earlier ? clock.monotonicMs() - startedAt : 0, each)
  const sender = setup.openSender(log.exchange)
  const ending = watchRunEnd(setup, sender, broken.signal)
  const { crashes, judged } = await playAll(setup, log, ending)
    .finally(ending.clear)
    .finally(() => sender.close())
  const cause = ending.cause()
  const interrupted = setup.interrupt.aborted
  const early = cause === undefined || cause === 'interrupted' ? {} : { cause }
  log.write({ type: 'end', at: clock.monotonicMs() - startedAt, interrupted, ...early })
  const evidence = log.evidence()
  return {
    evidence,
    crashes,
    /** The same for every check: what was judged last while the run was played, unless more came. What was computed of it is known. */
    judgedBy: judged && judgesAlike(judged, evidence) ? judged : evidence,
  }
}

/** A section that is being played, with the keys that the target has not rejected. */
interface Part {
  readonly section: Section
  readonly contexts: ReturnType<typeof createProbeContexts>
  keys: readonly KeyFacts[]
}

/** Groups consecutive probes that are played on each plan's key, to be played in parallel. Any other probe is alone. */
const grouped = <Each extends ScheduledProbe>(scheduled: readonly Each[]): Each[][] => {
  const groups: Each[][] = []
  for (const each of scheduled) {
    const last = groups.at(-1)
    const joins = last && each.probe.played === 'each-plan' && last[0].probe.played === 'each-plan'
    if (joins) last.push(each)
    else groups.push([each])
  }
  return groups
}

/** Resolves to the probes that crashed, and to the evidence that was judged last, for the question what to repeat. */
const playAll = async (setup: RunSetup, log: RunLog, ending: RunEnd) => {
  const { head, clock, startedAt, scheduled, loadAllowed, earlier } = setup
  const { signal } = ending
  const crashes: { probe: string; error: unknown }[] = []
  const now = () => clock.monotonicMs() - startedAt
  const budget = createBudget(head.planned.requests)
  const keeper = createInventoryKeeper(log, head.readOnly)
  const sections = sectionsOf(head, scheduled)
  const book = createUsageBook(sections[0]?.contract.quotas ?? [], head.timeScale)
  const happened = log.records.flatMap((each) => (each.type === 'event' ? [each.name] : []))
  const events =
    setup.events && createEvents({ ...setup.events, happened, clock, startedAt, log, fail: ending.fail, signal })
  const parts = sections.map((section) => {
    const ways = { ...ending, events, log, budget, keeper, book }
    const part: Part = {
      section,
      keys: section.keys,
      contexts: createProbeContexts({ run: setup, section, ...ways, keys: () => part.keys }),
    }
    return part
  })

  /** Notes once what ended the run early, before the inventory is restored or after it. */
  let isEndTold = false
  const tellEnd = (): void => {
    const told = ending.told()
    if (told === undefined || isEndTold) return
    isEndTold = true
    log.note(now(), told)
    if (ending.broken.aborted) crashes.push({ probe: 'journal', error: ending.broken.reason })
  }

  const restore = async (part: Part, key: KeyFacts, within: AbortSignal, probe?: string): Promise<boolean> => {
    try {
      return await keeper.restore(part.contexts.sessionOf(key), within, probe)
    } catch (error) {
      log.note(now(), `the inventory could not be put back yet: ${whyOf(error)}`)
      return false
    }
  }

  /** Restores the inventory with the key that may send soonest; with another if that one is spent for the day or banned. */
  const restoreAtLast = async (part: Part, within: AbortSignal): Promise<void> => {
    const { keys, contexts } = part
    if (keys.length === 0) return
    const main = mainKeyOf(keys)
    const freeAt = (key: KeyFacts) => Math.max(now(), contexts.sessionOf(key).freeAt())
    const others = onePerPlan(keys).filter(({ name }) => name !== main.name)
    for (const key of [main, ...others].sort((a, b) => freeAt(a) - freeAt(b))) {
      if (within.aborted) return
      if (await restore(part, key, within, key.name === main.name ? undefined : standInRestore)) return
    }
  }

  const restoreInTime = async (part: Part): Promise<void> => {
    const restoring = ending.restoring()
    await restoreAtLast(part, restoring.signal).finally(restoring.clear)
  }

  /** What the day leaves for a probe: a load that would spend the day unasked is cut or left out. */
  const roomInDay = (part: Part, { probe, settings }: ScheduledProbe, key: KeyFacts): DayRoom => {
    const { keys, contexts, section } = part
    const played = isPlayedTogether(probe) ? keysOf(probe, keys) : [key]
    const dayLeft = (each: KeyFacts) =>
      Math.min(book.leftBeside(section.quota, each, now()), contexts.sessionOf(each).dayLeft())
    return dayRoom({ probe, settings, played, keys, dayLeft, log, now })
  }

  /** Waits until other quotas on the same requests have room for what a probe sends, unless that takes too long. */
  const waitForOthers = async (part: Part, { probe, settings }: ScheduledProbe, key: KeyFacts): Promise<void> => {
    const { section, keys, contexts } = part
    for (const each of isPlayedTogether(probe) ? keysOf(probe, keys) : [key]) {
      const requests = usualOf({ probe, settings, keys }, each)
      for (const { at, why } of book.waitsBeside(section.quota, each, requests))
        await contexts.sessionOf(each).waitUntil(at, why)
    }
  }

  const playProbe = async (part: Part, each: ScheduledProbe, key: KeyFacts): Promise<void> => {
    const { probe, settings } = each
    const { name: quota } = part.section
    if (isLeftAlone(each, part.section.scheduled, key, part.keys)) return
    const keys = isPlayedTogether(probe) ? keysOf(probe, part.keys).map(({ name }) => name) : undefined
    const told = { kind: 'probe', probe: probe.id, key: key.name, ...(keys && { keys }) } as const
    const playedOn = isPlayedApart(probe) ? key.name : null
    const report = (end: ProbeEnd['end'], reason: string, room?: Room) => {
      const record: ProbeEnd = { type: 'probe', probe: probe.id, key: playedOn, quota, at: now(), end, reason, room }
      log.write(record)
      log.progress({ ...told, at: record.at, state: reason === '' ? end : `${end}: ${reason}` })
    }
    if (earlier?.wasPlayed(probe.id, playedOn)) return
    if (signal.aborted) return report('interrupted', 'not played')
    log.progress({ ...told, at: now(), state: 'started' })
    const isSingle = probe.played === 'once'
    try {
      await waitForOthers(part, each, key)
      const room = roomInDay(part, each, key)
      await probe.play(part.contexts.contextOf(probe, key, room), settings)
      if (isSingle) await restore(part, mainKeyOf(part.keys), signal)
      report('completed', '', room.cutTo)
    } catch (error) {
      if (error instanceof ProbeSkipped) report('skipped', error.reason, error.room)
      else if (error instanceof DayUsedUp) report('completed', error.message, error.room)
      else if (error instanceof ProbeBlocked) report('failed', error.reason)
      else if (isAbort(error) || signal.aborted) report('interrupted', ending.cause() ?? 'interrupted')
      else {
        crashes.push({ probe: probe.id, error })
        report('failed', `crashed: ${whyOf(error)}`)
      }
      if (isSingle && !signal.aborted) await restore(part, mainKeyOf(part.keys), signal)
    }
  }

  /** Plays a group on all its keys in parallel or in turn; on each key one probe after the other. */
  const playGroup = async (part: Part, group: readonly ScheduledProbe[], isInTurn = false): Promise<void> => {
    const { keys } = part
    if (keys.length === 0) return
    const playedOn = (probe: Probe) => (isPlayedTogether(probe) ? [mainKeyOf(keys)] : keysOf(probe, keys))
    const isOn = (probe: Probe, key: KeyFacts) => playedOn(probe).some(({ name }) => name === key.name)
    const played = keys.filter((key) => group.some(({ probe }) => isOn(probe, key)))
    const playOn = async (key: KeyFacts) => {
      for (const each of group) if (isOn(each.probe, key)) await playProbe(part, each, key)
    }
    if (!isInTurn) await Promise.all(played.map(playOn))
    else for (const key of played.toSorted((a, b) => a.quota.limit - b.quota.limit)) await playOn(key)
  }

  /** Records what hello saw; true if nothing else may be played. */
  const lookFirst = (): boolean => {
    const { ended, rejected } = firstLookOf(log, now(), {
      loads: loadAllowed ? [] : scheduled.flatMap(({ probe }) => (probe.isLoad ? [probe.id] : [])),
      without: { rejectedKeys: head.withoutRejectedKeys ?? false, load: head.withoutLoad ?? false },
    })
    for (const part of parts) {
      part.keys = part.keys.filter(({ name, credential = name }) => !rejected.includes(credential))
      if (part.keys.length === 0) continue
      // Single requests may now move to another key, which needs a plan.
      const again = againAtMost(part.section.scheduled, head, part.keys)
      budget.extend(plannedRequests(part.section.scheduled, part.keys, again))
    }
    return ended
  }

  let judged: Evidence | undefined
  /** Repeats probes whose checks lacked evidence, now that nothing else is running. */
  const playAgain = async (): Promise<void> => {
    const turns = turnsAgain(parts.flatMap(({ keys }) => keys))
    let { againMs: leftMs = Number.POSITIVE_INFINITY } = head.planned
    for (let turn = 1; turn <= turns; turn += 1) {
      if (signal.aborted) return
      judged = log.evidence()
      const asked = playedAgain(judged, turn).filter(({ probe }) => loadAllowed || !probe.isLoad)
      const again = daysLast(asked, turn === turns)
      const groups = parts.flatMap((part) =>
        grouped(again.filter(({ quota }) => quota === part.section.name)).map((group) => ({ part, group })),
      )
      for (const { part, group } of groups) {
        if (signal.aborted) return
        const { keys, section } = part
        const fitting = fittingIn(group, { keys, windowMs: section.windowMs }, leftMs)
        const begunAt = now()
        const { ledgers: before } = log.evidence()
        const longestSingleMs = Math.max(...keys.map((key) => part.contexts.sessionOf(key).longestRoundTripMs()))
        for (const { probe, asking } of fitting)
          log.note(
            begunAt,
            `${probe.id} is played again: the evidence so far could not show every breach of ${asking.join(', ')}`,
          )
        await playGroup(part, fitting, areInEachOthersWay(before, longestSingleMs, section.windowMs))
        leftMs -= spentOnRepeats(now() - begunAt, log.evidence().ledgers.slice(before.length), section.windowMs)
      }
      if (again.length === 0) return
    }
  }

  const planned = parts.map((part) => ({ part, groups: grouped(part.section.scheduled) }))
  for (const { part, groups } of planned) await playGroup(part, groups[0])
  if (!signal.aborted && !lookFirst()) {
    for (const { part, groups } of planned) {
      for (const group of groups.slice(1)) if (!signal.aborted) await playGroup(part, group)
    }
    await playAgain()
  }
  tellEnd()
  const [first] = parts
  if (first) {
    const wasEnded = signal.aborted
    await restoreInTime(first)
    // The run may be ended meanwhile: then restoring gets as much time as if that had come before.
    if (!wasEnded && signal.aborted) await restoreInTime(first)
  }
  tellEnd()
  for (const { name, during } of events?.left() ?? [])
    log.note(now(), `${name} did not happen: no load of ${during} got that far`)
  for (const each of log.leftOut()) log.note(now(), each)
  return { crashes, judged }
}
