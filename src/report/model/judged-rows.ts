import { z } from 'zod'
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
  reason: z.string().describe('Why it is waived.'),
  owner: z.string().describe('Who answers for it.'),
  until: z.string().describe('The last day on which it is waived.'),
})

const waived = waivedBy
  .nullable()
  .default(null)
  .describe('Set where a failure is known and waived: it is shown, and does not count.')

/** What was found of one clause. */
export const clauseRow = z.object({
  id: z.string().describe('The id of the clause: `QUOTA-1`.'),
  level,
  area: z.string().describe('What the clause is about, in words.'),
  source: z.string().describe('Where the rule comes from.'),
  sentence: z.string().describe('The rule.'),
  verdict,
  reason: z.string().describe('What its checks say that have the same verdict, in sentences.'),
  checks: z.array(z.string()).describe('The ids of the checks that judge it.'),
  waived,
})

/** What one check found. */
export const checkRow = z.object({
  id: z.string().describe('The id of the check: `quota.not-over-admitted`.'),
  promise: z.string().describe('What it looks at, as a sentence that a sound target makes true.'),
  clauses: z.array(z.string()).describe('The ids of the clauses that it judges.'),
  level,
  verdict,
  code: z.string().describe('What it found, as a word for programs: `refused-after-waiting`.'),
  facts: z.record(z.string(), fact).describe('The numbers and names of which the message is made.'),
  message: z.string().describe('What it found, as a sentence.'),
  headers: z
    .array(z.string())
    .default([])
    .describe('The names of the headers that it looks at; empty in reports that do not say so.'),
  witnesses: z.array(z.string()).describe('The ids of the exchanges that show it.'),
  witnessesLeftOut: z.number().describe('How many witnesses were left out of `witnesses`.'),
  command: z.string().describe('The command that plays this check alone.'),
  commandMs: z
    .number()
    .optional()
    .describe(
      'How long that takes at most as a rule, in milliseconds, by the plan of such a run; absent in older reports.',
    ),
  advice: z
    .string()
    .nullable()
    .default(null)
    .describe("What the server's team may look at first, as a sentence; null where the check did not fail."),
  followsFrom: z
    .array(z.string())
    .default([])
    .describe(
      'For an `inconclusive` check: the clauses whose failures took away what it needs. Repeat it once they are fixed. Empty if none is known.',
    ),
  waived,
})

/** What became of one gate. */
export const gateRow = z.object({
  id: z.string().describe('The name of the gate in the scenario; with a plan before it where it is of one plan.'),
  sentence: z.string().describe('What is measured.'),
  limit: z.string().describe('The most that is allowed.'),
  value: z.string().describe('What was measured.'),
  verdict: z
    .enum(['pass', 'fail', 'inconclusive', 'not-tested'])
    .describe('`not-tested` only where single checks were asked for, so that there was nothing to measure.'),
  waived,
})

/** A known failure that a file names for this target, and what became of it in this run. */
export const waiverRow = waivedBy.extend({
  subject: z.enum(['clause', 'check', 'gate']).describe('What kind of thing is waived.'),
  id: z.string().describe('The id of what is waived.'),
  place: z.string().describe('Where it stands: `waivers.yaml:7`.'),
  state: z
    .enum(['applied', 'expired', 'passes-now', 'unused'])
    .describe('`expired` and `passes-now` fail the run; `unused` is one whose subject neither failed nor was proven.'),
  sentence: z.string().describe('What became of it, and what to do about it.'),
})

const helps = z
  .enum(['maybe', 'no', 'unknown'])
  .describe(
    '`maybe`: the obstacle may pass by itself; `no`: something must change first; `unknown`: the run did not show which.',
  )

const reason = z.object({
  of: z.string().describe('What is open for it: the id of a clause or of a gate, or `run` for all of it.'),
  helps,
  why: z.string().describe('What was in the way; of a `no`, what to do first.'),
})

/** Whether another run of the same may settle what one left open, and why. */
export const rerun = z.object({
  helps: helps.describe('`no` where any reason is a `no`; else `unknown` where any is; `maybe` where all are.'),
  sentence: z.string().describe('The same for people, with the reasons that decide it.'),
  reasons: z.array(reason).describe('All that left the run open.'),
})

const headers = z.array(z.tuple([z.string(), z.string()]))

/** An exchange that a check names as its witness, as much of it as a reader needs. Secrets are left out of it. */
export const witnessRow = z.object({
  id: z.string().describe('Its id, as `witnesses` name it; `burst-free#61` is a row of a ledger.'),
  probe: z.string().describe('The probe that sent it.'),
  step: z.string().describe('The part of the probe that it belongs to; `load` where it is one request of a load.'),
  key: z.string().nullable().describe('The name of the key that it was sent with; null: without a valid one.'),
  operation: z.string().nullable().describe('The operation that it asked for; null: none of the interface.'),
  sentAt: z.number().describe("When it was sent, in milliseconds since the run's start."),
  receivedAt: z
    .number()
    .nullable()
    .describe("When the head of its answer came, in milliseconds since the run's start; null: no answer."),
  request: z
    .object({
      method: z.string().describe('The method.'),
      url: z.string().describe('The whole address.'),
      headers: headers.describe('Each line as its name and its value, secrets redacted.'),
      body: z.string().nullable().describe('The body as text; null: none.'),
    })
    .describe('What was sent.'),
  response: z
    .object({
      status: z.number().describe('The status code.'),
      reason: z.string().describe('The words behind the status code.'),
      headers: headers.describe('Each line as its name and its value, in the order in which they came.'),
      body: z.string().describe('The body as text, cut off where it is long.'),
      bodyBytes: z.number().describe('How long the body was, in bytes.'),
    })
    .nullable()
    .describe('What came back; null: no answer.'),
  error: z.string().nullable().describe('Why there is no answer, or no complete one; null if there is.'),
  curl: z.string().nullable().describe('A command that sends it again, the key left out; null where none is known.'),
})
