import type { Check, PlayAgain } from '../../checks/framework/check.js'
import { burstAgain } from '../../checks/framework/judged-clause.js'
import { isAskedFor } from '../../checks/framework/unplayed.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { RunHead } from '../../evidence/journal.js'
import { judge } from '../judge.js'
import { checks as bundled, checksOf, findProbe } from '../registry.js'
import type { ScheduledProbe } from './budget.js'

/** How often a probe may be played once more for checks that were left open; in all it is three times then. */
const mostTimesAgain = 2

/** So many counts show a limiter that loses one in ten in 99 of 100 replays: 0.9 to the 45th is 0.009. */
const countsThatShowLoss = 45

/** Loads on a quota so small that three show too few counts: with a limit of 5 there are up to nine in all. */
const mostLoadsAgain = 8

interface SaidLimit {
  readonly quota: { readonly limit: number }
}

/** How many turns there may be in which what checks ask for is played again, on these keys. */
export const turnsAgain = (keys: readonly SaidLimit[]): number => {
  const smallest = Math.min(...keys.map(({ quota }) => quota.limit))
  return Math.max(mostTimesAgain, Math.min(mostLoadsAgain, Math.ceil(countsThatShowLoss / smallest) - 1))
}

/** Whether a probe may be played again in this turn, the first of which is 1. The rest of a day waits for the others. */
const isInTurn = (id: string, turn: number): boolean =>
  turn <= mostTimesAgain || id === burstAgain.probe || findProbe(id)?.spendsDay === true

type ProbeSettings = Readonly<Record<string, unknown>>

/** One setting that serves both of two: lists are joined, switches on if either is, and the smaller number is taken. */
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

/** The ways of a check beside these probes: a quota whose window is too long to be spent is put under no load again either. */
const waysBeside = ({ again = [] }: Check, probes: readonly string[]): readonly PlayAgain[] =>
  [again].flat().filter(({ beside }) => beside.some((probe) => probes.includes(probe)))

/** What may be played again beside a scenario, with the settings that cost most, as often as it may be. */
export const againAtMost = (
  scheduled: readonly ScheduledProbe[],
  wishes: Pick<RunHead, 'only' | 'skip'>,
  keys: readonly SaidLimit[],
): ScheduledProbe[] => {
  const probes = scheduled.map(({ probe }) => probe.id)
  // What a check of a contract file may ask for, its namesake of the bundled contract may too.
  const ways = bundled.filter((check) => isAskedFor(check, wishes)).flatMap((check) => waysBeside(check, probes))
  const dearest = new Map(ways.map(({ probe, dearest: settings }) => [probe, settings]))
  const once = [...dearest].map(([id, settings]) => scheduledProbe(id, settings))
  return Array.from({ length: turnsAgain(keys) }, (_, at) =>
    once.filter(({ probe }) => isInTurn(probe.id, at + 1)),
  ).flat()
}

/** A probe that is to be played once more, and the checks that ask for it. */
interface Again extends ScheduledProbe {
  readonly asking: readonly string[]
}

/** What open checks ask to be played again in this turn: each probe once, with settings that serve all of them. */
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

/** A day is spent when nothing else is asked for any more, or in the last turn: what comes behind would find nothing left of it. */
export const daysLast = <Each extends ScheduledProbe>(asked: readonly Each[], isLastTurn: boolean): Each[] => {
  const others = asked.filter(({ probe }) => !probe.spendsDay)
  const spending = asked.filter(({ probe }) => probe.spendsDay)
  return others.length > 0 && !isLastTurn ? others : [...others, ...spending]
}
