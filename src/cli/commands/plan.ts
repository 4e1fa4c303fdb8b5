import { count, counted, formatDuration, listInWords } from '../../kit/words.js'
import { columns } from '../../report/formats/terminal-text.js'
import { type PreparedRun, prepareRun } from '../../run/options/prepare-run.js'
import { isLoopback } from '../../run/options/target.js'
import { type PlannedRequests, standInRestore, strangers } from '../../run/plan/budget.js'
import { usuallyUpToMs } from '../../run/plan/planning.js'
import { type ConfiguredArgs, configuredRun } from '../run/configured-run.js'

/** Names for the plan's rows and columns that are not the user's keys or the scenario's probes. */
const names: Readonly<Record<string, string>> = {
  [strangers]: 'no valid key',
  any: 'any key',
  restore: 'pets put back',
  [standInRestore]: 'pets put back on another key',
  repeats: 'probes that are played again',
  'asked-again': 'retries after a stray refusal',
}

const nameOf = (id: string): string => names[id] ?? id

const total = (rows: readonly PlannedRequests[]): number => rows.reduce((sum, { requests }) => sum + requests, 0)

const table = (rows: readonly PlannedRequests[]): string[] => {
  const keys = [...new Set(rows.map(({ key }) => key))]
  const probes = [...new Set(rows.map(({ probe }) => probe))]
  const cell = (key: string, probe: string) => total(rows.filter((row) => row.key === key && row.probe === probe)) || ''
  const sums = keys.map((key) => total(rows.filter((row) => row.key === key)))
  return columns(
    [
      ['', ...keys.map(nameOf)],
      ...probes.map((probe) => [nameOf(probe), ...keys.map((key) => String(cell(key, probe)))]),
      ['total', ...sums.map(String)],
    ],
    0,
  )
}

/** The loads for which a key's day may have no room, in order, if all before them send as much as they may. */
const mayBeLeftOut = ({ plan, scheduled }: PreparedRun, key: string, day: number): string[] => {
  let used = 0
  return scheduled.flatMap(({ probe }) => {
    const takes = total(plan.requests.filter((row) => row.key === key && row.probe === probe.id && !row.ifUntold))
    used += takes
    return probe.isLoad && takes > 0 && used > day ? [probe.id] : []
  })
}

/** The keys whose day has no room for the whole plan, and what may be left out. */
const crowded = (prepared: PreparedRun): string[] => {
  const { plan, head, scheduled } = prepared
  if (scheduled.some(({ probe }) => probe.spendsDay)) return []
  return head.keys.flatMap(({ name, quota: { longer: day } }) => {
    const surely = total(plan.requests.filter((row) => row.key === name && !row.ifUntold))
    const leftOut = mayBeLeftOut(prepared, name, day)
    if (surely <= day || leftOut.length === 0) return []
    return `${name} allows ${count(day)} requests a day, and the run may send ${count(surely)}: whether ${listInWords(leftOut)} ${leftOut.length === 1 ? 'is' : 'are'} played depends on what is left by then`
  })
}

/** What happens to loads with and without permission; empty if there are none or they need no permission. */
const aboutLoad = ({ plan, head, scheduled, options }: PreparedRun): string[] => {
  const loads = new Set(scheduled.flatMap(({ probe }) => (probe.isLoad ? [probe.id] : [])))
  const load = total(plan.requests.filter(({ probe }) => loads.has(probe)))
  if (load === 0) return []
  const rest = total(plan.requests) - load
  if (head.withoutLoad) return [`--without-load: no load is sent, only up to ${counted(rest, 'other request')}`]
  if (isLoopback(head.baseUrl)) return []
  const share = `${count(load)} of these are load`
  return options.allowLoad
    ? [`${share}, and --allow-load permits it on ${new URL(head.baseUrl).host}`]
    : [
        `${share}, which need --allow-load for ${new URL(head.baseUrl).host}: without it the run would end after its first look`,
        `--allow-load permits it; --without-load sends only the other ${count(rest)}, and the run exits with 2`,
      ]
}

/** The parts of the maximum that only some runs send, and what each is for. */
const extras = ({ plan }: PreparedRun): (readonly [requests: number, why: string])[] => {
  const of = (isMeant: (row: PlannedRequests) => boolean) => total(plan.requests.filter(isMeant))
  const parts: (readonly [number, string])[] = [
    [of((row) => row.ifUntold === true), 'to repeat probes that saw too little'],
    [of(({ probe }) => probe === 'asked-again'), 'to retry after a stray refusal'],
    [of(({ probe }) => probe === standInRestore), 'to put pets back on another key'],
  ]
  return parts.filter(([requests]) => requests > 0)
}

/** What the maximum consists of. What a run usually sends depends on the target, which is not known yet. */
const aboutMost = (prepared: PreparedRun): string[] => {
  const parts = extras(prepared)
  const all = total(prepared.plan.requests)
  const own = parts.reduce((left, [requests]) => left - requests, all)
  return [
    parts.length > 0
      ? `requests: usually at most ${count(own)}, for the scenario itself; ${count(all)} in the worst case. The rest is sent only if needed:`
      : `requests: at most ${count(all)}`,
    ...parts.map(([requests, why]) => `  ${count(requests)} ${why}`),
    'The real number is usually lower: a probe stops when it has enough evidence.',
  ]
}

/** How long the run takes: by its plan, with the usual repeats, and at most. */
const timeInWords = ({ plan }: PreparedRun): string => {
  const planned = formatDuration(plan.durationMs)
  if (plan.againMs === 0) return planned
  const [usual, most] = [usuallyUpToMs(plan), plan.durationMs + plan.againMs].map(formatDuration)
  return `${planned}, usually up to ${usual} with repeats, at most ${most}`
}

/** The plan of a run: a row per probe, a column per key, and remarks. */
export const planTable = (prepared: PreparedRun): string => {
  const { plan, head } = prepared
  return [
    `${head.scenario} against ${head.baseUrl}, at most:`,
    '',
    ...table(plan.requests),
    '',
    ...prepared.leftOut,
    ...crowded(prepared),
    ...aboutLoad(prepared),
    ...prepared.scenario.events.map(
      ({ name, during, at, run }) =>
        `${name}: runs ${run.join(' ')} after ${Math.round(at * 100)} % of a load of ${during}`,
    ),
    `windows during the run: ${plan.windows.map(({ key, minutes }) => `${key} ${Number(minutes.toFixed(1))}`).join(', ')}`,
    `time: ${timeInWords(prepared)}`,
    ...aboutMost(prepared),
  ].join('\n')
}

export const plan = async (args: ConfiguredArgs): Promise<void> => {
  const { settled, contract } = await configuredRun(args)
  process.stdout.write(`${planTable(prepareRun(settled, process.env, contract))}\n`)
}
