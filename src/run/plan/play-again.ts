import type { Check, PlayAgain } from '../../checks/framework/check.js'
import { burstAgain } from '../../checks/framework/judged-clause.js'
import { isAskedFor } from '../../checks/framework/unplayed.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { RunHead } from '../../evidence/journal.js'
import { judge } from '../judge.js'
import { checks as bundled, checksOf, findProbe } from '../registry.js'
import type { ScheduledProbe } from './budget.js'

/** How often a probe may be repeated for open checks; with the first time that makes three. */
const mostTimesAgain = 2

/** 45 counts reveal a limiter that loses one in ten in 99 of 100 replays: 0.9^45 is 0.009. */
const countsThatShowLoss = 45

/** The most repeats on a quota so small that three loads show too few counts: with a limit of 5, up to nine loads. */
const mostLoadsAgain = 8

interface SaidLimit {
  readonly quota: { readonly limit: number }
}

export const turnsAgain = (keys: readonly SaidLimit[]): number => {
  const smallest = Math.min(...keys.map(({ quota }) => quota.limit))
  return Math.max(mostTimesAgain, Math.min(mostLoadsAgain, Math.ceil(countsThatShowLoss / smallest) - 1))
}

/** Whether a probe may be repeated in this turn (the first is 1): after turn 2 only the burst and probes that spend a day. */
const isInTurn = (id: string, turn: number): boolean =>
  turn <= mostTimesAgain || id === burstAgain.probe || findProbe(id)?.spendsDay === true

type ProbeSettings = Readonly<Record<string, unknown>>

/** One setting that serves two wishes: lists are joined, a switch is on if either is, the smaller number wins. */
const joinedValue = (one: unknown, other: unknown): unknown => {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])]
  if (typeof one === 'boolean' && typeof other === 'boolean') return one || other
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : (one ?? other)
}

const joined = (one: ProbeSettings, other: ProbeSettings): ProbeSettings =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      joinedValue(one[name], other[name]),
    ]),
  )

const scheduledProbe = (id: string, settings: ProbeSettings): ScheduledProbe => {
  const probe = findProbe(id)
  if (!probe) throw new Error(`a check asks for an unknown probe ${id}`)
  return { probe, settings: probe.settings.parse(settings) }
}

/** What a check may have repeated, given the probes played: a window too long to be spent gets no second load either. */
const waysBeside = ({ again = [] }: Check, probes: readonly string[]): readonly PlayAgain[] =>
  [again].flat().filter(({ beside }) => beside.some((probe) => probes.includes(probe)))

/** All that may be repeated after a scenario, with the dearest settings, once for each time. */
export const againAtMost = (
  scheduled: readonly ScheduledProbe[],
  wishes: Pick<RunHead, 'only' | 'skip'>,
  keys: readonly SaidLimit[],
): ScheduledProbe[] => {
  const probes = scheduled.map(({ probe }) => probe.id)
  // A check of a contract file asks for no more than its namesake of the bundled contract.
  const ways = bundled.filter((check) => isAskedFor(check, wishes)).flatMap((check) => waysBeside(check, probes))
  const dearest = new Map(ways.map(({ probe, dearest: settings }) => [probe, settings]))
  const once = [...dearest].map(([id, settings]) => scheduledProbe(id, settings))
  return Array.from({ length: turnsAgain(keys) }, (_, at) =>
    once.filter(({ probe }) => isInTurn(probe.id, at + 1)),
  ).flat()
}

interface Again extends ScheduledProbe {
  readonly asking: readonly string[]
}

/** What open checks ask to repeat in this turn: each probe once, with settings that serve all of them. */
export const playedAgain = (evidence: Evidence, turn = 1): Again[] => {
  const wished = new Map<string, Omit<Again, 'probe'> & { readonly probe: string }>()
  const { run } = evidence
  const waysOf = (check: Check) =>
    waysBeside(
      check,
      run.probes.filter(({ quota }) => quota === check.quota).map(({ probe }) => probe),
    )
  const mayAsk = checksOf(run).filter((check) => waysOf(check).length > 0 && isAskedFor(check, run))
  for (const { check, finding } of judge(evidence, mayAsk).checks) {
    if (finding.verdict !== 'inconclusive') continue
    for (const { probe, settings: settingsFor } of waysOf(check)) {
      const settings = settingsFor(finding)
      if (!settings || !isInTurn(probe, turn)) continue
      const slot = `${check.quota} ${probe}`
      const known = wished.get(slot)
      wished.set(slot, {
        probe,
        quota: check.quota,
        settings: joined(known?.settings ?? {}, settings),
        asking: [...(known?.asking ?? []), check.id],
      })
    }
  }
  return [...wished.values()].map(({ probe, quota, settings, asking }) => ({
    ...scheduledProbe(probe, settings),
    quota,
    asking,
  }))
}

/** Spends a day only when nothing else is asked for, or in the last turn: later probes would find nothing left of it. */
export const daysLast = <Each extends ScheduledProbe>(asked: readonly Each[], isLastTurn: boolean): Each[] => {
  const others = asked.filter(({ probe }) => !probe.spendsDay)
  const spending = asked.filter(({ probe }) => probe.spendsDay)
  return others.length > 0 && !isLastTurn ? others : [...others, ...spending]
}
