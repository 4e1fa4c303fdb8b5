import { z } from 'zod'
import type { Fact } from '../verdict/verdict.js'

/** The version of the report's shape. It goes up when a reader of the old shape would be misled by the new one. */
export const reportSchemaVersion = 1

const verdictName = z.enum(['pass', 'fail', 'inconclusive', 'observed', 'not-tested'])
const levelName = z.enum(['must', 'should', 'observe'])
const outcomeName = z.enum(['pass', 'fail', 'inconclusive'])

const fact: z.ZodType<Fact> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(fact), z.record(z.string(), fact)]),
)

const percentiles = z.object({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() })

const headerLine = z.tuple([z.string(), z.string()])

/** An exchange that a check names as its witness, as much of it as a reader needs. */
const witness = z.object({
  id: z.string(),
  probe: z.string(),
  step: z.string(),
  key: z.string().nullable(),
  operation: z.string().nullable(),
  /** Milliseconds since the run's start. */
  sentAt: z.number(),
  receivedAt: z.number().nullable(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(headerLine),
    body: z.string().nullable(),
  }),
  response: z
    .object({
      status: z.number(),
      reason: z.string(),
      headers: z.array(headerLine),
      body: z.string(),
      bodyBytes: z.number(),
    })
    .nullable(),
  error: z.string().nullable(),
  /** A command that sends it again, the key left out; null where none is known. */
  curl: z.string().nullable(),
})

/** Whoever answers for a known failure, why, and up to the end of which day. */
const waivedBy = z.object({ reason: z.string(), owner: z.string(), until: z.string() })

/** Set where a failure is known and waived: it is shown, and does not count. */
const waived = waivedBy.nullable().default(null)

/** What was found of one clause. */
export const clauseRow = z.object({
  id: z.string(),
  level: levelName,
  area: z.string(),
  source: z.string(),
  sentence: z.string(),
  verdict: verdictName,
  reason: z.string(),
  checks: z.array(z.string()),
  waived,
})

/** What one check found. */
export const checkRow = z.object({
  id: z.string(),
  promise: z.string(),
  clauses: z.array(z.string()),
  level: levelName,
  verdict: verdictName,
  code: z.string(),
  facts: z.record(z.string(), fact),
  message: z.string(),
  witnesses: z.array(z.string()),
  /** How many witnesses were left out of `witnesses`. */
  witnessesLeftOut: z.number(),
  /** The command that plays this check alone. */
  command: z.string(),
  waived,
})

/** How a target departs from a limiter model that is refuted. */
export type RefutationReason = 'over-admission' | 'early-refusal' | 'both'

const modelVerdict = z.enum(['explained', 'refuted'])

/**
 * A stretch no longer than a window in which too much was admitted, or at whose end a request was refused too early.
 * Times in milliseconds since the run's start.
 */
const breach = z.object({
  kind: z.enum(['over-admission', 'early-refusal']),
  fromMs: z.number(),
  toMs: z.number(),
  /** Certainly admitted within it, of an over-admission; at the most admitted in it, of an early refusal. */
  admitted: z.number(),
  refused: z.number(),
  /** When the answers of the stretch came, each with what had been admitted in it by then. */
  answers: z.array(z.tuple([z.number(), z.enum(['admitted', 'refused']), z.number()])),
  /**
   * The answers of the stretch that show it, each with what had been admitted in it by then: the last admitted within the
   * limit and the first beyond it, or the refusal that came too early.
   */
  shownBy: z
    .array(
      z.object({
        id: z.string(),
        receivedMs: z.number(),
        outcome: z.enum(['admitted', 'refused']),
        admitted: z.number(),
      }),
    )
    .optional(),
  /** Whether the stretch is the burst that the counts of the quota are of. */
  isBurst: z.boolean().optional(),
})

const quotaRow = z.object({
  plan: z.string(),
  /** `minute` or `day`, or the id of a quota of a contract file. */
  window: z.string(),
  limit: z.number(),
  windowMs: z.number(),
  /** Of the burst on a fresh window, its opening request included; where none was played, of everything on the key. */
  sent: z.number(),
  admitted: z.number(),
  refused: z.number(),
  unknown: z.number(),
  /** Of everything that this run sent on the key. */
  history: z.object({ sent: z.number(), admitted: z.number(), refused: z.number(), unknown: z.number() }),
  verdict: verdictName,
  /** Why it is not judged, as a sentence; absent where it is. */
  reason: z.string().optional(),
  models: z.record(z.string(), modelVerdict),
  /** Of each refuted model: the reason, and the exchanges that refute it. */
  refutations: z.record(
    z.string(),
    z.object({
      // Any text, for those who read the published schema: a later version may have more of them.
      reason: z.string<RefutationReason>(),
      overAdmitted: z.number(),
      earlyRefused: z.number(),
      witnesses: z.array(z.string()),
    }),
  ),
  diagnosis: z.string().nullable(),
  /** What shows best that a quota is broken; absent where it is kept, or where no single window shows it. */
  breach: breach.optional(),
  /** The most that was admitted within any span of one window, by the times of receipt. */
  worstMinute: z.number(),
  /** From the last refusal of the load to the first admission after it, and what the target had said. */
  recovery: z
    .object({
      afterMs: z.number().nullable(),
      retryAfterMs: z.number().nullable(),
      resetAfterMs: z.number().nullable(),
      /** For how long the key was still refused after the moment that a Retry-After had named; null: nobody asked. */
      lateMs: z.number().nullable(),
    })
    .nullable(),
})

const loadRow = z.object({
  profile: z.string(),
  plan: z.string(),
  planned: z.number(),
  sent: z.number(),
  answered: z.number(),
  errors: z.number(),
  timeouts: z.number(),
  lost: z.number(),
  connections: z.number(),
  startedAt: z.number(),
  endedAt: z.number(),
  latencyMs: z.object({ admitted: percentiles.nullable(), refused: percentiles.nullable() }),
  /** From the planned moment instead of the actual one; null where the profile had no schedule. */
  latencyFromPlannedMs: z.object({ admitted: percentiles.nullable(), refused: percentiles.nullable() }).nullable(),
  scheduleErrorMs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
  /** The longest time for which the generator itself stood still. */
  stoodStillMs: z.number().default(0),
  /** Why the load ended early, as a sentence; null where it did not, or where it was to end so. */
  problem: z.string().nullable().default(null),
  /** Of the stretches of `everyMs` each, the one in which a figure is worst: only what a gate asks for. */
  worstStretches: z
    .array(z.object({ figure: z.string(), everyMs: z.number(), startedAt: z.number(), value: z.number() }))
    .default([]),
})

/** What one agent sent and saw of a profile on a key. */
const vantageRow = z.object({
  agent: z.string(),
  /** What it was asked for as: `eu` of `eu-1`. */
  name: z.string(),
  /** The address that it sent to. */
  target: z.string(),
  key: z.string(),
  profile: z.string(),
  planned: z.number(),
  sent: z.number(),
  admitted: z.number(),
  refused: z.number(),
  unknown: z.number(),
  /** Of the unknown ones: those of which nobody knows whether they were sent. */
  untold: z.number(),
  /** By how much its clock may be off the run's, in milliseconds; its times count as intervals so much wider. */
  clockErrorMs: z.number(),
  /** False where its clock moved by more than is allowed. */
  isClockKept: z.boolean(),
})

/** Points of one plan's story, thinned so that every extreme is kept. Times in milliseconds since the run's start. */
const timeline = z.object({
  plan: z.string(),
  limit: z.number(),
  windowMs: z.number(),
  /** One row an exchange: sent, received (null: none), outcome, Remaining claimed (null: none). */
  points: z.array(
    z.tuple([z.number(), z.number().nullable(), z.enum(['admitted', 'refused', 'unknown']), z.number().nullable()]),
  ),
  /** Exchanges in all, before thinning. */
  total: z.number(),
  /** All of them by when they were sent: since the first one, admitted, refused, unknown; empty stretches left out. */
  counts: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).default([]),
  /** How long a stretch of `counts` is; 0 in reports that do not have them. */
  stretchMs: z.number().default(0),
  /** Cumulative admissions: received, count. */
  admissions: z.array(z.tuple([z.number(), z.number()])),
  /** Moments that the target named, on the run's clock. */
  resets: z.array(z.number()),
  retryMoments: z.array(z.number()),
})

/** Clients that went on as their behaviour has it, over all the rounds in which they were played on one key. */
const backoffRow = z.object({
  plan: z.string(),
  probe: z.string(),
  /** `compliant` ones wait as told and back off; `hammering` ones go on at once. */
  behaviour: z.enum(['compliant', 'hammering']),
  clients: z.number(),
  /** Requests that were to be served; null where they went on without an aim. */
  work: z.number().nullable(),
  sent: z.number(),
  served: z.number(),
  /** Answered 429. */
  refused: z.number(),
  /** Sent and not served, whatever came instead. */
  wasted: z.number(),
  /** Times that they went on after a wait, the first one included. */
  rounds: z.number(),
  startedAt: z.number(),
  endedAt: z.number(),
  /** What the work takes at the least where the limit comes back at once, a window after it was spent; null: no aim. */
  idealMs: z.number().nullable(),
  /** The attempts in each stretch of `stretchMs` since `startedAt`: served, refused, anything else; empty ones left out. */
  stretchMs: z.number(),
  attempts: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
})

/** A ban that was set off, or the try to set one off. Times in milliseconds since the run's start. */
const banRow = z.object({
  plan: z.string(),
  /** Who was banned. */
  behaviour: z.enum(['compliant', 'hammering']),
  /** When the first answer came that was another than the limiter's; null where none did. */
  startedAt: z.number().nullable(),
  status: z.number().nullable(),
  /** Refusals in a row before it, or in all where no ban came; null where that was not counted. */
  refusedBefore: z.number().nullable(),
  /** The rate-limit headers that came with it. */
  headers: z.array(z.string()),
  /** Until the key was served again; null where that was not seen. */
  lengthMs: z.number().nullable(),
  askedMeanwhile: z.number().nullable(),
})

/** `not-tested` only where single checks were asked for, so that there was nothing to measure. */
const gateRow = z.object({
  id: z.string(),
  sentence: z.string(),
  limit: z.string(),
  value: z.string(),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'not-tested']),
  waived,
})

/** A known failure that a file names for this target, and what became of it in this run. */
const waiverRow = waivedBy.extend({
  subject: z.enum(['clause', 'check', 'gate']),
  id: z.string(),
  /** Where it stands: `waivers.yaml:7`. */
  place: z.string(),
  /** `expired` and `passes-now` fail the run; `unused` is one whose subject neither failed nor was proven. */
  state: z.enum(['applied', 'expired', 'passes-now', 'unused']),
  /** What became of it, and what to do about it. */
  sentence: z.string(),
})

const spendRow = z.object({ key: z.string(), probe: z.string(), planned: z.number(), spent: z.number() })

const note = z.object({
  /** Milliseconds since the run's start. */
  at: z.number(),
  text: z.string(),
})

/**
 * A finished run, as data: everything that any renderer shows, and nothing that has to be computed again.
 * Published as JSON Schema; more fields may come, none goes.
 */
export const reportModel = z.object({
  schemaVersion: z.literal(reportSchemaVersion),
  tool: z.object({ name: z.literal('quotaspec'), version: z.string() }),
  run: z.object({
    id: z.string(),
    scenario: z.string(),
    startedAt: z.string(),
    durationMs: z.number(),
    plannedMs: z.number(),
    timeScale: z.number(),
    seed: z.number(),
    strict: z.boolean(),
    exitCode: z.number(),
    interrupted: z.boolean(),
    command: z.string(),
    environment: z.object({ node: z.string(), platform: z.string(), cpus: z.number() }),
  }),
  target: z.object({
    baseUrl: z.string(),
    /** The contract file that it is held to, by its name; absent: the Petstore interface, which has an inventory. */
    contract: z.string().optional(),
  }),
  outcome: outcomeName,
  /** The outcome in one sentence. */
  headline: z.string(),
  clauses: z.array(clauseRow),
  checks: z.array(checkRow),
  quotas: z.array(quotaRow),
  load: z.array(loadRow),
  /** Empty where the machine that played the run sent all of it. */
  vantages: z.array(vantageRow).default([]),
  timelines: z.array(timeline),
  backoff: z.array(backoffRow).default([]),
  bans: z.array(banRow).default([]),
  gates: z.array(gateRow),
  waivers: z.array(waiverRow).default([]),
  spending: z.array(spendRow),
  notes: z.array(note),
  exchanges: z.array(witness),
  exchangesLeftOut: z.number(),
  restored: z.boolean(),
  /**
   * What was not seen to be as it was, each with the command that puts it back; where nobody could look, as every key was
   * refused, `look` is the command that shows what is there.
   */
  unrestored: z.array(
    z.object({
      petId: z.string(),
      quantity: z.string(),
      curl: z.string(),
      look: z.string().nullable().default(null),
    }),
  ),
})

export type Report = z.infer<typeof reportModel>
export type ClauseRow = z.infer<typeof clauseRow>
export type CheckRow = z.infer<typeof checkRow>
export type QuotaRow = z.infer<typeof quotaRow>
export type Breach = z.infer<typeof breach>
export type LoadRow = z.infer<typeof loadRow>
export type VantageRow = z.infer<typeof vantageRow>
export type BackoffRow = z.infer<typeof backoffRow>
export type BanRow = z.infer<typeof banRow>
export type Timeline = z.infer<typeof timeline>
export type WitnessRow = z.infer<typeof witness>
export type GateRow = z.infer<typeof gateRow>
export type WaiverRow = z.infer<typeof waiverRow>
