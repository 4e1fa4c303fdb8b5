import { z } from 'zod'
import { flag, number, text, textOrNull, texts } from '../kit/described.js'
import { checkRow, clauseRow, gateRow, rerun, waiverRow, witnessRow } from './model/judged-rows.js'
import { backoffRow, banRow, costRow, eventRow, loadRow, spendRow, vantageRow } from './model/load-rows.js'
import { type breach, certificateRow, envelopeRow, quotaRow, timeline } from './model/quota-rows.js'

/** The version of the report's shape. It goes up when a reader of the old shape would be misled by the new one. */
export const reportSchemaVersion = 1

const tool = z.object({
  name: z.literal('quotaspec').describe('The program that made it.'),
  version: text("That program's version."),
})

const environment = z.object({
  node: text('The version of Node.js.'),
  platform: text('The operating system, and what it runs on.'),
  cpus: number('How many processors there were.'),
})

const run = z.object({
  id: text('The id of the run.'),
  scenario: text('The name of the scenario.'),
  startedAt: text('When it began: a date and time in UTC, as ISO 8601 writes them.'),
  durationMs: number('How long it took, in milliseconds.'),
  plannedMs: number('How long it was to take, in milliseconds.'),
  timeScale: number("How many times faster than agreed the target's windows pass: 1 for as agreed."),
  seed: number('What chose everything that is random; the same seed chooses the same.'),
  strict: flag('Whether a `should` that is broken fails the run, too.'),
  exitCode: number(
    'The exit code of the command: 0 for pass, 1 for fail, 2 for inconclusive, 4 for a fault of quotaspec, 130 where it was interrupted.',
  ),
  interrupted: flag('Whether it was ended before all of it was played.'),
  command: text('The command that repeats it.'),
  setFirst: texts(
    'The environment variables that are to be set to their keys before a command is repeated, since the run got these keys by a flag or in a file; absent where it got all from the environment.',
  ).optional(),
  environment: environment.describe('The machine that played it.'),
})

const target = z.object({
  baseUrl: text('Its base address.'),
  contract: text(
    'The contract file that it is held to, by its name; absent: the Petstore interface, which has an inventory.',
  ).optional(),
})

const note = z.object({
  at: number("When it happened, in milliseconds since the run's start."),
  text: text('What happened, as a sentence.'),
})

const changedPet = z.object({
  petId: text('The id of the pet.'),
  quantity: text('Its quantity before the run.'),
  curl: text('The command that puts it back.'),
  look: textOrNull('The command that shows the quantity; null if the run saw it.').default(null),
})

/** A finished run: all that any renderer shows. Published as JSON Schema: more fields may come, none goes. */
export const reportModel = z.object({
  schemaVersion: z
    .literal(reportSchemaVersion)
    .describe(
      "The version of the report's shape. It goes up when a reader of the old shape would be misled by the new one.",
    ),
  tool: tool.describe('What made the report.'),
  run: run.describe('What was played, when and how.'),
  target: target.describe('What it was played against.'),
  outcome: z.enum(['pass', 'fail', 'inconclusive']).describe('The outcome of the run as a whole.'),
  headline: text('The outcome in one sentence.'),
  rerun: rerun
    .nullable()
    .default(null)
    .describe('Of a run that ends with 2, whether another one of the same may settle what is open; null of any other.'),
  clauses: z.array(clauseRow).describe('Every clause of the interface, with what was found of it.'),
  checks: z.array(checkRow).describe('Every check that judges them, with what it found.'),
  quotas: z.array(quotaRow).describe('How each plan kept each of its quotas.'),
  certificates: z
    .array(certificateRow)
    .default([])
    .describe('What the run excludes and measures of each key that a load was put on; empty in older reports.'),
  envelopes: z
    .array(envelopeRow)
    .default([])
    .describe('The most that was admitted on each key within spans of any length; empty in older reports.'),
  load: z.array(loadRow).describe('Every load that was sent, and what became of it.'),
  limiterCosts: z
    .array(costRow)
    .default([])
    .describe(
      'What answers and refusals took on each key, from the loads that measure it alone; empty where none did.',
    ),
  vantages: z
    .array(vantageRow)
    .default([])
    .describe('What each agent sent and saw; empty where the machine that played the run sent all of it.'),
  timelines: z
    .array(timeline)
    .describe(
      "Points of each plan's story, thinned so that every extreme is kept. Times in milliseconds since the run's start.",
    ),
  backoff: z
    .array(backoffRow)
    .default([])
    .describe(
      'Clients that went on as their behaviour has it, over all the rounds in which they were played on one key.',
    ),
  bans: z.array(banRow).default([]).describe('Every ban that was set off, and every try that set none off.'),
  events: z
    .array(eventRow)
    .default([])
    .describe('What happened to the target on purpose, as the scenario has it; empty where nothing did.'),
  gates: z.array(gateRow).describe('What the scenario allows at the most, and what was measured.'),
  waivers: z
    .array(waiverRow)
    .default([])
    .describe('The known failures that a file names for this target, and what became of each in this run.'),
  spending: z.array(spendRow).describe('What each probe spent of each key.'),
  notes: z.array(note).describe('What the run had to wait for, and what else happened on its way.'),
  exchanges: z
    .array(witnessRow)
    .describe('The exchanges that checks name as witnesses, as much of each as a reader needs.'),
  exchangesLeftOut: number('How many more exchanges checks name; the saved run holds them.'),
  restored: flag('Whether the run restored everything that it changed.'),
  unrestored: z
    .array(changedPet)
    .describe(
      'What was not seen restored, each with the command that restores it. Where every key was refused, `look` is the command that shows the quantity.',
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
