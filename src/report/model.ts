import { z } from 'zod'
import { flag, number, text, textOrNull, texts } from '../kit/described.js'
import { checkRow, clauseRow, gateRow, rerun, waiverRow, witnessRow } from './model/judged-rows.js'
import { backoffRow, banRow, costRow, eventRow, loadRow, vantageRow } from './model/load-rows.js'
import { type breach, certificateRow, envelopeRow, quotaRow, timeline } from './model/quota-rows.js'

export const reportSchemaVersion = 1

const tool = z.object({
  name: z.literal('quotaspec').describe('The program that made it.'),
  version: text("That program's version."),
})

const environment = z.object({
  node: text('The version of Node.js.'),
  platform: text('The operating system and the processor architecture.'),
  cpus: number('How many processors there were.'),
})

const run = z.object({
  id: text('The id of the run.'),
  scenario: text('The name of the scenario.'),
  startedAt: text('When it began: a date and time in UTC, as ISO 8601 writes them.'),
  durationMs: number('How long it took, in milliseconds.'),
  plannedMs: number('The planned time, in milliseconds.'),
  timeScale: number("By how much the target's windows are shortened: 10 makes a minute last 6 s; 1 is a real minute."),
  seed: number('The seed of all random choices; the same seed repeats them.'),
  strict: flag('Whether a broken `should` rule fails the run too.'),
  exitCode: number(
    'The exit code of the command: 0 for pass, 1 for fail, 2 for inconclusive, 4 for a fault of quotaspec, 130 if it was interrupted.',
  ),
  interrupted: flag('Whether the run ended before it had played everything.'),
  command: text('The command that repeats it.'),
  setFirst: texts(
    'The environment variables to set to their keys before you repeat a command, because the run got these keys from a flag or a file. Absent if it got all keys from the environment.',
  ).optional(),
  environment: environment.describe('The machine that played the run.'),
})

const target = z.object({
  baseUrl: text('Its base address.'),
  contract: text(
    'The name of the contract file that the target must keep. Absent for the Petstore interface, which has an inventory.',
  ).optional(),
})

const note = z.object({
  at: number("When it happened, in milliseconds since the run's start."),
  text: text('What happened, as a sentence.'),
})

const changedPet = z.object({
  petId: text('The id of the pet.'),
  quantity: text('Its quantity before the run.'),
  curl: text('The command that restores it.'),
  look: textOrNull('The command that shows the quantity; null if the run saw it.').default(null),
})

const changedElsewhere = z.object({
  petId: text('The id of the pet.'),
  before: text('Its quantity in the first list of the run.'),
  after: text('Its quantity in the last list.'),
})

const spendRow = z.object({
  key: text('The name of the key; `strangers`: no valid key, `any`: any key that sent a request again.'),
  probe: text('The name of the probe; `asked-again`: single requests that were sent again.'),
  planned: number('The most requests that it was planned to send.'),
  spent: number('The requests that it sent.'),
})

/** A finished run: everything that renderers show. Published as JSON Schema: fields may be added, none removed. */
export const reportModel = z.object({
  schemaVersion: z
    .literal(reportSchemaVersion)
    .describe("The version of the report's shape. It goes up if the new shape would mislead a reader of the old one."),
  tool: tool.describe('The program that made the report.'),
  run: run.describe('The run: what it played, when and how.'),
  target: target.describe('The target of the run.'),
  outcome: z.enum(['pass', 'fail', 'inconclusive']).describe('The outcome of the run as a whole.'),
  headline: text('The outcome in one sentence.'),
  rerun: rerun
    .nullable()
    .default(null)
    .describe('If the run ended with 2: whether another run could settle what is open. Null for any other run.'),
  clauses: z.array(clauseRow).describe('Every clause of the interface, with its verdict.'),
  checks: z.array(checkRow).describe('Every check of these clauses, with its finding.'),
  quotas: z.array(quotaRow).describe('How each plan kept each of its quotas.'),
  certificates: z
    .array(certificateRow)
    .default([])
    .describe('For each key under load: the defects that the run excludes, and what it measured.'),
  envelopes: z
    .array(envelopeRow)
    .default([])
    .describe('For each key: the most requests admitted within spans of any length.'),
  load: z.array(loadRow).describe('Every load that the run sent, with its results.'),
  limiterCosts: z
    .array(costRow)
    .default([])
    .describe(
      'How long answers and refusals took on each key, from loads that measure only this; empty if there were none.',
    ),
  vantages: z
    .array(vantageRow)
    .default([])
    .describe("What each agent sent and saw; empty if the run's own machine sent everything."),
  timelines: z
    .array(timeline)
    .describe(
      "Points of each plan's timeline, thinned so that every extreme is kept. Times are in milliseconds since the run's start.",
    ),
  backoff: z
    .array(backoffRow)
    .default([])
    .describe('Played clients that obey or ignore refusals, with the totals of all their rounds on one key.'),
  bans: z
    .array(banRow)
    .default([])
    .describe('Every ban that the run triggered, and every attempt that triggered none.'),
  events: z.array(eventRow).default([]).describe('What the scenario did to the target on purpose; empty if nothing.'),
  gates: z.array(gateRow).describe('The bounds of the scenario, and the measured values.'),
  waivers: z
    .array(waiverRow)
    .default([])
    .describe('The known failures that a file names for this target, and the state of each in this run.'),
  spending: z.array(spendRow).describe('How many requests each probe spent on each key.'),
  notes: z.array(note).describe('What the run waited for, and other incidents.'),
  exchanges: z
    .array(witnessRow)
    .describe('The exchanges that checks name as witnesses, shortened to what a reader needs.'),
  exchangesLeftOut: number('How many more exchanges the checks name; the saved run has them.'),
  restored: flag('Whether the run restored everything that it changed.'),
  unrestored: z
    .array(changedPet)
    .describe(
      'Pets that the run did not see restored, each with the command that restores it. If every key was refused, `look` is the command that shows the quantity.',
    ),
  changedElsewhere: z
    .array(changedElsewhere)
    .default([])
    .describe(
      'Pets whose quantity changed although the run did not change it, or had put it back: the target changed them, or somebody else.',
    ),
})

export type Report = z.infer<typeof reportModel>
export type ClauseRow = z.infer<typeof clauseRow>
export type CheckRow = z.infer<typeof checkRow>
export type QuotaRow = z.infer<typeof quotaRow>
export type CertificateRow = z.infer<typeof certificateRow>
export type EnvelopeRow = z.infer<typeof envelopeRow>
export type Breach = z.infer<typeof breach>
export type LoadRow = z.infer<typeof loadRow>
export type CostRow = z.infer<typeof costRow>
export type VantageRow = z.infer<typeof vantageRow>
export type BackoffRow = z.infer<typeof backoffRow>
export type BanRow = z.infer<typeof banRow>
export type Timeline = z.infer<typeof timeline>
export type WitnessRow = z.infer<typeof witnessRow>
export type GateRow = z.infer<typeof gateRow>
export type WaiverRow = z.infer<typeof waiverRow>
export type Rerun = z.infer<typeof rerun>
