import { z } from 'zod'
import { number, numberOrNull, text, textOrNull, texts } from '../../kit/described.js'
import type { Fact } from '../../verdict/verdict.js'

const verdictName = z.enum(['pass', 'fail', 'inconclusive', 'observed', 'not-tested'])
const levelName = z.enum(['must', 'should', 'observe'])

/** What may be said of a check, a clause or a quota. */
export const verdict = verdictName.describe(
  '`inconclusive`: tested, and not decided; `observed`: left open by the contract, and only reported.',
)

const level = levelName.describe(
  'A `must` that is broken fails the run, a `should` warns, an `observe` is only reported.',
)

const fact: z.ZodType<Fact> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(fact), z.record(z.string(), fact)]),
)

const waivedBy = z.object({
  reason: text('Why it is waived.'),
  owner: text('Who answers for it.'),
  until: text('The last day on which it is waived.'),
})

const waived = waivedBy
  .nullable()
  .default(null)
  .describe('Set where a failure is known and waived: it is shown, and does not count.')

/** What was found of one clause. */
export const clauseRow = z.object({
  id: text('The id of the clause: `QUOTA-1`.'),
  level,
  area: text('What the clause is about, in words.'),
  source: text('Where the rule comes from.'),
  sentence: text('The rule.'),
  verdict,
  reason: text('What its checks say that have the same verdict, in sentences.'),
  checks: texts('The ids of the checks that judge it.'),
  waived,
})

/** What one check found. */
export const checkRow = z.object({
  id: text('The id of the check: `quota.not-over-admitted`.'),
  promise: text('What it looks at, as a sentence that a sound target makes true.'),
  clauses: texts('The ids of the clauses that it judges.'),
  level,
  verdict,
  code: text('What it found, as a word for programs: `refused-after-waiting`.'),
  facts: z.record(z.string(), fact).describe('The numbers and names of which the message is made.'),
  message: text('What it found, as a sentence.'),
  headers: texts('The names of the headers that it looks at; empty in reports that do not say so.').default([]),
  witnesses: texts('The ids of the exchanges that show it.'),
  witnessesLeftOut: number('How many witnesses were left out of `witnesses`.'),
  command: text('The command that plays this check alone.'),
  commandMs: number(
    'How long that takes at most as a rule, in milliseconds, by the plan of such a run; absent in older reports.',
  ).optional(),
  advice: textOrNull(
    "What the server's team may look at first, as a sentence; null where the check did not fail.",
  ).default(null),
  followsFrom: texts(
    'For an `inconclusive` check: the clauses whose failures took away what it needs. Repeat it once they are fixed. Empty if none is known.',
  ).default([]),
  waived,
})

/** What became of one gate. */
export const gateRow = z.object({
  id: text('The name of the gate in the scenario; with a plan before it where it is of one plan.'),
  sentence: text('What is measured.'),
  limit: text('The most that is allowed.'),
  value: text('What was measured.'),
  verdict: z
    .enum(['pass', 'fail', 'inconclusive', 'not-tested'])
    .describe('`not-tested` only where single checks were asked for, so that there was nothing to measure.'),
  waived,
})

/** A known failure that a file names for this target, and what became of it in this run. */
export const waiverRow = waivedBy.extend({
  subject: z.enum(['clause', 'check', 'gate']).describe('What kind of thing is waived.'),
  id: text('The id of what is waived.'),
  place: text('Where it stands: `waivers.yaml:7`.'),
  state: z
    .enum(['applied', 'expired', 'passes-now', 'unused'])
    .describe('`expired` and `passes-now` fail the run; `unused` is one whose subject neither failed nor was proven.'),
  sentence: text('What became of it, and what to do about it.'),
})

const helps = z
  .enum(['maybe', 'no', 'unknown'])
  .describe(
    '`maybe`: the obstacle may pass by itself; `no`: something must change first; `unknown`: the run did not show which.',
  )

const reason = z.object({
  of: text('What is open for it: the id of a clause or of a gate, or `run` for all of it.'),
  helps,
  why: text('What was in the way; of a `no`, what to do first.'),
})

/** Whether another run of the same may settle what one left open, and why. */
export const rerun = z.object({
  helps: helps.describe('`no` where any reason is a `no`; else `unknown` where any is; `maybe` where all are.'),
  sentence: text('The same for people, with the reasons that decide it.'),
  reasons: z.array(reason).describe('All that left the run open.'),
})

const headers = z.array(z.tuple([z.string(), z.string()]))

/** An exchange that a check names as its witness, as much of it as a reader needs. Secrets are left out of it. */
export const witnessRow = z.object({
  id: text('Its id, as `witnesses` name it; `burst-free#61` is a row of a ledger.'),
  probe: text('The probe that sent it.'),
  step: text('The part of the probe that it belongs to; `load` where it is one request of a load.'),
  key: textOrNull('The name of the key that it was sent with; null: without a valid one.'),
  operation: textOrNull('The operation that it asked for; null: none of the interface.'),
  sentAt: number("When it was sent, in milliseconds since the run's start."),
  receivedAt: numberOrNull("When the head of its answer came, in milliseconds since the run's start; null: no answer."),
  request: z
    .object({
      method: text('The method.'),
      url: text('The whole address.'),
      headers: headers.describe('Each line as its name and its value, secrets redacted.'),
      body: textOrNull('The body as text; null: none.'),
    })
    .describe('What was sent.'),
  response: z
    .object({
      status: number('The status code.'),
      reason: text('The words behind the status code.'),
      headers: headers.describe('Each line as its name and its value, in the order in which they came.'),
      body: text('The body as text, cut off where it is long.'),
      bodyBytes: number('How long the body was, in bytes.'),
    })
    .nullable()
    .describe('What came back; null: no answer.'),
  error: textOrNull('Why there is no answer, or no complete one; null if there is.'),
  curl: textOrNull('A command that sends it again, the key left out; null where none is known.'),
})
