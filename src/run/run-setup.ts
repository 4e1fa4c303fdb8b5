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

/** All that a run needs: what to play, against which target, within which limits, and where to record it. */
export interface RunSetup extends Partial<Safety> {
  readonly head: RunHead
  readonly scheduled: readonly ScheduledProbe[]
  readonly journal: Journal
  /** Opens what sends single requests; each exchange goes to `record` first. */
  readonly openSender: (record: (x: Exchange) => void) => ExchangeSender
  readonly redactor: Redactor
  /** How a key's credential is sent, for the load generator; never recorded. */
  readonly credentialOf: (key: string) => RenderedCredential
  readonly clock: Clock
  readonly startedAt: number
  /** Aborted by Ctrl-C; the run then ends in order. */
  readonly interrupt: AbortSignal
  readonly loadAllowed: boolean
  /** The address to which a load connects; the sender has been given it already. */
  readonly pinnedAddress?: string
  /** What puts loads on the target. Default: this machine, to the same address with the same keys. */
  readonly generator?: Generator
  /** What it may do to its target at most, over all keys together, whatever its probes ask for. */
  readonly ceilings?: LoadedScenario['limits']
  /** What is to happen in the middle of loads, and what runs its commands. */
  readonly events?: { readonly planned: readonly ScenarioEvent[]; readonly run: CommandRunner }
  /** The part of the run that was played before it stopped: what it did is not done again. */
  readonly earlier?: ResumedRun['earlier']
  /** What is to be noted before anything is sent. */
  readonly remarks?: readonly string[]
  readonly watch: (event: Progress) => void
}
