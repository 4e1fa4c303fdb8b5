import { z } from 'zod'
import { levelName } from '../../contract/api-contract.js'
import { number, numberOrNull, text, textOrNull, texts } from '../../kit/described.js'
import type { Fact } from '../../verdict/verdict.js'

const verdictName = z.enum(['pass', 'fail', 'inconclusive', 'observed', 'not-tested'])

/** The verdict on a check, a clause or a quota. */
export const verdict = verdictName.describe(
  '`inconclusive`: tested, but not decided; `observed`: the contract leaves it open, so it is only reported.',
)

const level = levelName.describe(
  'A broken `must` fails the run, a broken `should` is a warning, an `observe` is only reported.',
)

const fact: z.ZodType<Fact> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(fact), z.record(z.string(), fact)]),
)

const waivedBy = z.object({
  reason: text('Why it is waived.'),
  owner: text('Who is responsible for it.'),
  until: text('The last day on which it is waived.'),
})

const waived = waivedBy
  .nullable()
  .default(null)
  .describe('Set if a known failure is waived: it is shown, and does not count.')

export const clauseRow = z.object({
  id: text('The id of the clause: `QUOTA-1`.'),
  level,
  area: text('The topic of the clause, in words.'),
  source: text('Where the rule comes from.'),
  sentence: text('The rule.'),
  verdict,
  reason: text('The sentences of those of its checks that have the same verdict.'),
  checks: texts('The ids of the checks that judge it.'),
  waived,
})

export const checkRow = z.object({
  id: text('The id of the check: `quota.not-over-admitted`.'),
  promise: text('What it checks, as a sentence that is true of a correct target.'),
  clauses: texts('The ids of the clauses that it judges.'),
  level,
  verdict,
  code: text('What it found, as a code for programs: `refused-after-waiting`.'),
  facts: z.record(z.string(), fact).describe('The numbers and names in the message.'),
  message: text('What it found, as a sentence.'),
  headers: texts('The names of the headers that it reads; empty in reports without them.').default([]),
  witnesses: texts('The ids of the exchanges that show it.'),
  witnessesLeftOut: number('How many more witnesses there are than `witnesses` lists.'),
  command: text('The command that plays this check alone.'),
  commandMs: number(
    'How long that command usually takes at most, in milliseconds, by the plan of such a run. Absent in older reports.',
  ).optional(),
  advice: textOrNull(
    "What the server's team should look at first, in a sentence; null if the check did not fail.",
  ).default(null),
  followsFrom: texts(
    'For an `inconclusive` check: the clauses whose failures removed the evidence that it needs. Repeat it when they are fixed. Empty if none is known.',
  ).default([]),
  waived,
})

export const gateRow = z.object({
  id: text("The name of the gate in the scenario, after the plan's name if it is for one plan."),
  sentence: text('The measured figure, in words.'),
  limit: text('The upper bound.'),
  value: text('The measured value.'),
  verdict: z
    .enum(['pass', 'fail', 'inconclusive', 'not-tested'])
    .describe('`not-tested` only if the run played single checks, so there was nothing to measure.'),
  waived,
})

/** A known failure that a file names for this target, and its state in this run. */
export const waiverRow = waivedBy.extend({
  subject: z.enum(['clause', 'check', 'gate']).describe('What kind of thing is waived.'),
  id: text('The id of what is waived.'),
  place: text('Where it stands: `waivers.yaml:7`.'),
  state: z
    .enum(['applied', 'expired', 'passes-now', 'unused'])
    .describe('`expired` and `passes-now` fail the run; `unused`: its subject neither failed nor was proven.'),
  sentence: text('What happened to it, and what to do about it.'),
})

const helps = z
  .enum(['maybe', 'no', 'unknown'])
  .describe(
    '`maybe`: the obstacle may pass by itself; `no`: something must change first; `unknown`: the run did not show which.',
  )

const reason = z.object({
  of: text('What it leaves open: the id of a clause or of a gate, or `run` for all of it.'),
  helps,
  why: text('What stood in the way; for a `no`, what to do first.'),
})

/** Whether another run could settle what this one left open, and why. */
export const rerun = z.object({
  helps: helps.describe('`no` if any reason is `no`; otherwise `unknown` if any is; `maybe` if all are.'),
  sentence: text('The same in a sentence, with the deciding reasons.'),
  reasons: z.array(reason).describe('Everything that left the run open.'),
})

const headers = z.array(z.tuple([z.string(), z.string()]))

/** An exchange that a check names as its witness, as far as readers need it. Secrets are left out. */
export const witnessRow = z.object({
  id: text('Its id, as `witnesses` name it; `burst-free#61` is a row of a ledger.'),
  probe: text('The probe that sent it.'),
  step: text('The part of the probe that it belongs to; `load` for a request of a load.'),
  key: textOrNull('The name of its key; null: no valid key.'),
  operation: textOrNull('The requested operation; null: none of the interface.'),
  sentAt: number("When it was sent, in milliseconds since the run's start."),
  receivedAt: numberOrNull(
    "When the headers of the answer came, in milliseconds since the run's start; null: no answer.",
  ),
  request: z
    .object({
      method: text('The method.'),
      url: text('The whole address.'),
      headers: headers.describe('Each header line as a name and a value, with secrets redacted.'),
      body: textOrNull('The body as text; null: none.'),
    })
    .describe('What was sent.'),
  response: z
    .object({
      status: number('The status code.'),
      reason: text('The reason phrase.'),
      headers: headers.describe('Each header line as a name and a value, in the order in which they came.'),
      body: text('The body as text, shortened if it is long.'),
      bodyBytes: number('The length of the body, in bytes.'),
    })
    .nullable()
    .describe('What came back; null: no answer.'),
  error: textOrNull('Why there is no answer, or no complete one; null if there is.'),
  curl: textOrNull('A command that sends it again, without the key; null if none is known.'),
})
