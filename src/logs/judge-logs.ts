import type { Readable } from 'node:stream'
import { UsageError } from '../kit/usage-error.js'
import type { Report } from '../report/model.js'
import { trafficJudge } from './judge-traffic.js'
import { fileLog } from './line-source.js'
import type { JudgedLogs, LogSettings } from './log-findings.js'
import { logReport, notesOnLogs } from './log-report.js'
import { readTraffic } from './traffic.js'

/** Reads logs once, in bounded memory, and judges each quota of the contract by them. */
export const judgeTraffic = async (
  settings: LogSettings,
): Promise<{ readonly logs: JudgedLogs; readonly notes: readonly string[]; readonly report: Report }> => {
  const judge = trafficJudge(settings.contract, settings.isComplete)
  const counts = await readTraffic(settings, judge.take)
  const names = settings.logs.map(({ file }) => file.name)
  const logs = { ...settings, traffic: judge.judged(), counts, span: judge.span(), names }
  return { logs, notes: notesOnLogs(logs), report: logReport(logs) }
}

const unitMs = { ms: 1, s: 1000, m: 60_000 } as const

/** `20ms`, `1.5s` or `2m`, in milliseconds. Throws a usage error for anything else. */
const timeMs = (flag: string, text: string): number => {
  const [, value, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  if (value === undefined)
    throw new UsageError(`--${flag} ${text}: write a time with its unit, such as 20ms, 1.5s or 1m`)
  return Number(value) * unitMs[unit as keyof typeof unitMs]
}

/** Clocks of machines with NTP agree within some milliseconds; this is well beyond that. */
const betweenNodesMs = 50

/** The named logs, each with its clock, as `errors` and `longest` describe it. `-` is standard input. */
export const givenLogs = (
  names: readonly string[],
  { errors, longest }: { readonly errors: readonly string[]; readonly longest: string | undefined },
  input: Readable,
) => {
  const usual = names.length > 1 ? betweenNodesMs : 0
  const given = errors.map((each) => timeMs('clock-error', each))
  if (given.length > 1 && given.length !== names.length)
    throw new UsageError(
      `--clock-error: ${given.length} are given for ${names.length} logs: give one for all, or one for each, in their order`,
    )
  if (names.filter((name) => name === '-').length > 1)
    throw new UsageError('--log -: standard input can be given only once')
  const longestMs = longest === undefined ? undefined : timeMs('longest', longest)
  return names.map((name, i) => ({
    file: name === '-' ? { name: 'standard input', open: () => input } : fileLog(name),
    clock: { errorMs: given[i] ?? given[0] ?? usual, longestMs },
  }))
}
