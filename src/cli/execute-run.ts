import { openJournal } from '../evidence/journal.js'
import { createRedactor } from '../evidence/redaction.js'
import { createClient } from '../http/client.js'
import { createCredentials } from '../http/credentials.js'
import { systemClock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import type { Report } from '../report/model.js'
import { judge } from '../runner/judge.js'
import { playRun } from '../runner/play.js'
import type { Progress } from '../runner/run-log.js'
import { buildReport } from './build-report.js'
import type { PreparedRun } from './prepare-run.js'
import { isLoopback } from './target.js'

export interface RunExecution {
  readonly out: string
  readonly allowLoad: boolean
  readonly interrupt: AbortSignal
  readonly watch: (event: Progress) => void
}

export interface ExecutedRun {
  readonly report: Report
  readonly crashes: readonly { readonly probe: string; readonly error: unknown }[]
}

/** Plays a prepared run, judges it, and puts its report together. The journal is in `out` as the run goes. */
export const executeRun = async (
  prepared: PreparedRun,
  { out, allowLoad, interrupt, watch }: RunExecution,
): Promise<ExecutedRun> => {
  const { head, keys, scheduled } = prepared
  const redactor = createRedactor()
  const secrets = new Map(keys.map(({ name, secret }) => [name, secret]))
  const credentials = createCredentials(secrets, redactor, seededRandom(head.seed ^ 0x5eed))
  const clock = systemClock
  const startedAt = clock.monotonicMs()
  // The run's zero is this moment, on both clocks.
  const started = { ...head, wallStartMs: clock.wallMs() }
  const client = createClient({ baseUrl: head.baseUrl, credentials, redactor, clock, startedAt })
  const journal = openJournal(out)
  try {
    const { evidence, crashes } = await playRun({
      head: started,
      scheduled,
      journal,
      client,
      redactor,
      authorization: (key) => `Bearer ${secrets.get(key)}`,
      clock,
      startedAt,
      interrupt,
      loadAllowed: allowLoad || isLoopback(head.baseUrl),
      watch,
    })
    const report = buildReport(evidence, judge(evidence), { version: head.toolVersion, crashed: crashes.length > 0 })
    return { report, crashes }
  } finally {
    journal.close()
    await client.close()
  }
}
