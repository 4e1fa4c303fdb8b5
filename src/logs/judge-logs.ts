import type { Report } from '../report/model.js'
import { trafficJudge } from './judge-traffic.js'
import { type JudgedLogs, logReport } from './log-report.js'
import { readTraffic, type TrafficSettings } from './traffic.js'

/** Logs, and what is claimed of them. */
export interface LogSettings extends TrafficSettings {
  /** Whether they hold every request of their time that counts. */
  readonly isComplete: boolean
  readonly strict: boolean
  /** The command that judges them again. */
  readonly command: string
}

/** Reads logs once, in bounded memory, and says what they show of each quota of the contract. */
export const judgeTraffic = async (
  settings: LogSettings,
): Promise<{ readonly logs: JudgedLogs; readonly report: Report }> => {
  const { contract, isComplete, strict, command } = settings
  const judge = trafficJudge(contract, isComplete)
  const counts = await readTraffic(settings, judge.take)
  const logs = {
    contract,
    traffic: judge.judged(),
    counts,
    span: judge.span(),
    names: settings.logs.map(({ file }) => file.name),
    isComplete,
    command,
    strict,
  }
  return { logs, report: logReport(logs) }
}
