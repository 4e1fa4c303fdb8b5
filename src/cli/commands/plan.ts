import { formatDuration } from '../../kit/duration.js'
import { withConfiguration } from '../config/configured-run.js'
import type { ConfigFlags } from '../config/find-config.js'
import { type PreparedRun, prepareRun } from '../run/prepare-run.js'
import type { GivenFlags } from '../run/run-options.js'

type Args = GivenFlags & ConfigFlags

/** The plan as a table: a row a probe, a column a key. */
const planTable = ({ plan, head, scheduled }: PreparedRun): string => {
  const keys = [...new Set(plan.requests.map(({ key }) => key))]
  const probes = [...new Set(plan.requests.map(({ probe }) => probe))]
  const at = (key: string, probe: string) =>
    plan.requests.reduce((total, row) => total + (row.key === key && row.probe === probe ? row.requests : 0), 0)
  const cell = (text: string | number) => String(text).padStart(11)
  const line = (name: string, cells: readonly (string | number)[]) => `${name.padEnd(18)}${cells.map(cell).join('')}`
  const sum = (key: string) =>
    plan.requests.filter((row) => row.key === key).reduce((total, row) => total + row.requests, 0)
  const surely = (key: string) =>
    plan.requests.filter((row) => row.key === key && !row.ifUntold).reduce((total, row) => total + row.requests, 0)
  const ifUntold = plan.requests.reduce((total, row) => total + (row.ifUntold ? row.requests : 0), 0)
  const rows = probes.map((probe) =>
    line(
      probe,
      keys.map((key) => at(key, probe) || ''),
    ),
  )
  const crowded = head.keys
    .filter((key) => surely(key.name) > key.quota.day && !scheduled.some(({ probe }) => probe.spendsDay))
    .map(
      ({ name, quota }) => `${name} has a day of ${quota.day}: a profile that what is left has no room for is left out`,
    )
  const windows = plan.windows.map(({ key, minutes }) => `${key} ${minutes}`).join(', ')
  return [
    `${head.scenario} against ${head.baseUrl}, at most:`,
    '',
    line('', keys),
    ...rows,
    line('in all', keys.map(sum)),
    '',
    ...crowded,
    `windows that pass meanwhile: ${windows}`,
    `time: about ${formatDuration(plan.durationMs)}`,
    ...(ifUntold === 0
      ? []
      : [
          `of these ${ifUntold} only where what was seen could not have shown every breach; that takes up to ${formatDuration(plan.againMs)} more`,
        ]),
  ].join('\n')
}

/** Says what a run would send on which key, and how long it takes. Sends nothing. */
export const plan = async (args: Args): Promise<void> => {
  await withConfiguration(args, async ({ flags, contract }) => {
    const prepared = prepareRun(flags.scenario, flags, process.env, contract)
    process.stdout.write(`${planTable(prepared)}\n`)
  })
}
