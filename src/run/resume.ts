import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { savedQuotaOf, windowLengthMs } from '../contract/plans.js'
import { evidenceOf } from '../evidence/evidence.js'
import type { RunHead, SavedRun } from '../evidence/journal.js'
import { journalName, readRun } from '../evidence/journal-file.js'
import { UsageError } from '../kit/usage-error.js'
import { formatDuration } from '../kit/words.js'
import { machineMs, thisProgram } from './machine.js'
import type { PreparedRun } from './options/prepare-run.js'
import { isPlayedApart, keysOf } from './plan/budget.js'

const refusal = (dir: string, why: string): UsageError => new UsageError(`--resume ${dir}: ${why}`)

const slotOf = (probe: string, key: string | null): string => `${key} ${probe}`

/** Reads from records and ledgers what the stopped part of the run had done. */
const earlierPart = (saved: Pick<SavedRun, 'records' | 'ledgers'>) => {
  const played = new Map<string, number>()
  for (const each of saved.records) {
    if (each.type !== 'probe' || each.end === 'interrupted') continue
    const slot = slotOf(each.probe, each.key)
    played.set(slot, (played.get(slot) ?? 0) + 1)
  }
  return {
    saved,
    /** True as often as this probe finished on this key (null for a probe that is played once for all keys). */
    wasPlayed(probe: string, key: string | null) {
      const slot = slotOf(probe, key)
      const times = played.get(slot) ?? 0
      if (times > 0) played.set(slot, times - 1)
      return times > 0
    },
    /** What the loads of a probe sent on a key, how many responses were 429, and how many 429s in a row ended them. */
    loaded(probe: string, key: string) {
      const status = saved.ledgers
        .filter(({ head, rows }) => head.probe === probe && head.key === key && rows.length > 0)
        .map(({ rows }) => rows)
        .toSorted((a, b) => a.sentUs[0] - b.sentUs[0])
        .flatMap((rows) => [...rows.status])
      return {
        sent: status.length,
        refused: status.filter((each) => each === 429).length,
        refusedInRow: status.length - 1 - status.findLastIndex((each) => each !== 429),
      }
    },
    used(key: string) {
      const singles = saved.records.flatMap((each) =>
        each.type === 'exchange' && each.key === key ? [each.sentAt] : [],
      )
      const loads = saved.ledgers.filter(({ head }) => head.key === key)
      const lastOfLoads = loads.flatMap(({ rows }) => (rows.length > 0 ? [rows.sentUs[rows.length - 1] / 1000] : []))
      return {
        sent: singles.length + loads.reduce((sum, { rows }) => sum + rows.length, 0),
        lastSentAt: [...singles, ...lastOfLoads].reduce((latest, at) => Math.max(latest, at), 0),
      }
    },
  }
}

/** How far the machine's two clocks may drift apart unwatched: more means that a clock was set or the machine slept. */
const mostApartMs = 1_000

/** Throws a {@link UsageError} if a folder holds no run. */
export const checkResumable = (dir: string): void => {
  if (!existsSync(join(dir, journalName))) throw refusal(dir, `there is no run to resume (no ${journalName})`)
}

/** What has to be unchanged for the two parts to be one run. */
const sameness = (head: RunHead): Readonly<Record<string, unknown>> => ({
  scenario: head.scenario,
  'the settings of the scenario': head.probes,
  'the events of the scenario': head.events ?? [],
  '--target': head.baseUrl,
  '--time-scale': head.timeScale,
  'the keys and their quotas': head.keys.map(({ name, quota }) => ({ name, quota: savedQuotaOf(quota) })),
  '--only': head.only,
  '--skip': head.skip,
  '--strict': head.strict,
  '--read-only': head.readOnly,
})

const refuseAnother = (dir: string, head: RunHead, given: RunHead, seed: number | undefined): void => {
  const [was, is] = [sameness(head), sameness(given)]
  const differing = Object.keys(was).find((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  if (differing !== undefined) {
    const [before, now] = [was, is].map((each) => JSON.stringify(each[differing]).slice(0, 200))
    throw refusal(dir, `${differing} was ${before} and is now ${now}; pass the same value as when the run began`)
  }
  if (seed !== undefined && seed !== head.seed)
    throw refusal(dir, `the seed was ${head.seed}, not ${seed}; remove --seed`)
  const other = head.keys.find(({ name, mark }) => given.keys.find((each) => each.name === name)?.mark !== mark)
  if (other)
    throw refusal(
      dir,
      `the ${other.name} key is not the one that this day was started with; pass that key, or start a new run`,
    )
}

/** Requests that were sent but not recorded would make every later verdict on the day a guess. */
const refuseUnrecorded = (dir: string, { records, ledgers, lostLoads: [lost] }: SavedRun): void => {
  const evidence = evidenceOf({ records, ledgers })
  if (evidence.unrestored.length > 0 || records.some((each) => each.type === 'restored' && each.later))
    throw refusal(
      dir,
      `the run left pets changed, and does not record that they were put back; run ${thisProgram()} restore ${dir}, then start a new run`,
    )
  if (lost !== undefined) throw refusal(dir, `one of its loads can't be read (${lost}); start a new run`)
}

/** Only a probe that spends a day can be resumed half-way; any other that had begun must have finished. */
const refuseUnfit = (dir: string, { scheduled, keys }: PreparedRun, saved: SavedRun): void => {
  if (!scheduled.some(({ probe }) => probe.spendsDay))
    throw refusal(dir, 'only a run that spends a day (the probe daily) can be resumed; start a new run')
  if (saved.records.some((each) => each.type === 'first-look' && each.ended))
    throw refusal(dir, 'that run stopped at its first look and spent nothing; start a new run')
  const done = earlierPart(saved)
  const begun = new Set([
    ...saved.records.flatMap((each) => (each.type === 'exchange' ? [each.probe] : [])),
    ...saved.ledgers.map(({ head }) => head.probe),
  ])
  const open = scheduled.flatMap(({ probe }) => {
    const names = isPlayedApart(probe) ? keysOf(probe, keys).map(({ name }) => name) : [null]
    return names.some((name) => !done.wasPlayed(probe.id, name)) ? [probe] : []
  })
  if (open.length === 0) throw refusal(dir, 'that run is complete; start a new run')
  const half = open.find((probe) => !probe.spendsDay && begun.has(probe.id))
  if (half)
    throw refusal(
      dir,
      `the run stopped in the middle of ${half.id}, and only the spending of a day can be resumed; start a new run`,
    )
}

/** The run's time line can continue only if its clock kept running. */
const elapsedSince = (dir: string, head: RunHead): number => {
  const elapsedMs = machineMs() - (head.machineMs ?? Number.NaN)
  const byWallMs = Date.now() - head.wallStartMs
  if (!(Math.abs(elapsedMs - byWallMs) <= mostApartMs))
    throw refusal(
      dir,
      "since then this machine slept or was restarted, or its clock was changed, or another machine played the run: the times of both parts don't fit together; start a new run",
    )
  if (elapsedMs >= windowLengthMs('day', head.timeScale))
    throw refusal(dir, `the day that began ${formatDuration(elapsedMs)} ago is over; start a new run`)
  return elapsedMs
}

/** Resumes the run in a folder. Throws a {@link UsageError} if the two parts would not be one run. */
export const resumeRun = (dir: string, given: PreparedRun) => {
  checkResumable(dir)
  const saved = readRun(dir)
  const head = saved.records.find((each) => each.type === 'run')
  if (!head) throw refusal(dir, 'its journal does not describe the run')
  refuseAnother(dir, head, given.head, given.options.seed)
  refuseUnfit(dir, given, saved)
  refuseUnrecorded(dir, saved)
  const elapsedMs = elapsedSince(dir, head)
  const exchanges = saved.records.flatMap((each) => (each.type === 'exchange' ? [Number(each.id.slice(1)) || 0] : []))
  const spending = new Set(given.scheduled.flatMap(({ probe }) => (probe.spendsDay ? [probe.id] : [])))
  return {
    prepared: { ...given, head },
    earlier: earlierPart(saved),
    elapsedMs,
    exchanges: exchanges.reduce((most, each) => Math.max(most, each), 0),
    /** How many requests it had sent to spend days before it stopped. */
    spent: saved.ledgers.reduce((sum, each) => sum + (spending.has(each.head.probe) ? each.rows.length : 0), 0),
  }
}

export type ResumedRun = ReturnType<typeof resumeRun>

/** The folder of a resumed run: the one it began in. */
export const outOf = (resume: string, out: string, usual: string): string => {
  if (out === usual || resolve(out) === resolve(resume)) return resume
  throw new UsageError(`--out ${out}: a resumed run writes to its own folder, ${resume}; remove --out`)
}
