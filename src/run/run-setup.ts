import type { Exchange } from '../evidence/exchange.js'
import type { Journal, RunHead } from '../evidence/journal.js'
import type { Redactor } from '../evidence/redaction.js'
import type { Clock } from '../kit/clock.js'
import type { RenderedCredential } from '../wire/http/credentials.js'
import type { ExchangeSender } from '../wire/http/exchange-sender.js'
import type { Generator } from '../wire/load/load-order.js'
import type { LoadedScenario, ScenarioEvent } from './options/scenario.js'
import type { Safety } from './options/target.js'
import type { ScheduledProbe } from './plan/budget.js'
import type { CommandRunner } from './playing/events.js'
import type { Progress } from './playing/progress.js'
import type { ResumedRun } from './resume.js'

/** Everything a run needs: what to play, against which target, within which limits, and where to record it. */
export interface RunSetup extends Partial<Safety> {
  readonly head: RunHead
  readonly scheduled: readonly ScheduledProbe[]
  readonly journal: Journal
  /** Opens the sender of single requests; each exchange goes to `record` first. */
  readonly openSender: (record: (x: Exchange) => void) => ExchangeSender
  readonly redactor: Redactor
  /** How the load generator sends a key's credential; never recorded. */
  readonly credentialOf: (key: string) => RenderedCredential
  readonly clock: Clock
  readonly startedAt: number
  /** Aborted by Ctrl-C; the run then ends in an orderly way. */
  readonly interrupt: AbortSignal
  readonly loadAllowed: boolean
  /** The address that loads connect to; the sender already has it. */
  readonly pinnedAddress?: string
  /** Sends the loads. Default: this machine, to the same address with the same keys. */
  readonly generator?: Generator
  /** Upper bounds on what it does to its target, over all keys, whatever its probes ask for. */
  readonly ceilings?: LoadedScenario['limits']
  /** Events that happen in the middle of loads, and the runner of their commands. */
  readonly events?: { readonly planned: readonly ScenarioEvent[]; readonly run: CommandRunner }
  /** What the run had done before it stopped; it is not repeated. */
  readonly earlier?: ResumedRun['earlier']
  /** Notes to record before anything is sent. */
  readonly remarks?: readonly string[]
  readonly watch: (event: Progress) => void
}
