import { z } from 'zod'
import { arrival, casePlay } from '../../evidence/arrivals.js'
import { checkRow, clauseRow } from '../../report/model/judged-rows.js'
import { reportModel } from '../../report/model.js'

export const clientReportVersion = 1

const letter = z.enum(['A', 'B', 'C', 'D', 'F'])

/** What keeps the client from a better grade, and how to fix it. */
const gradeReason = z.object({
  /** The best grade that is possible while it stands. */
  atBest: z.enum(['B', 'C', 'D', 'F']),
  state: z.enum(['stands', 'open']),
  code: z.string(),
  sentence: z.string(),
  advice: z.string().nullable(),
  /** The case that shows it; null if it is not a single one. */
  case: z.string().nullable(),
  /** Whether it says only that `--case` left out a case. */
  leftOut: z.boolean().default(false),
  /** If it is open because the machine stalled: the most that the controls were late in that case, in ms. */
  stalledMs: z.number().nullable().default(null),
  witnesses: z.array(z.string()),
})

const schedule = z.object({
  plays: z.number(),
  attempts: z.number().nullable(),
  waitsMs: z.array(z.number()),
  baseMs: z.number().nullable(),
  factor: z.number().nullable(),
  capMs: z.number().nullable(),
  jitter: z.number().nullable(),
  jittered: z.boolean().nullable(),
  pauses: z.enum(['key', 'request', 'one-at-a-time', 'not-shown']),
  /** The waits of each attempt over all plays, for the distribution. */
  spread: z.array(z.array(z.number())),
})

/** Its times are milliseconds since the play's first arrival. */
const arrivalRow = arrival
  .pick({ id: true, at: true, answeredAt: true, connection: true, status: true, retryAfter: true })
  .extend({
    /** From when on the client might come, if the answer named a moment. */
    allowedFrom: z.number().nullable(),
    /** Whether it came before the time of an earlier refusal was over. */
    early: z.boolean(),
  })

export const clientPlayRow = z.object({
  ...casePlay.pick({ id: true, case: true, title: true, timeZone: true, end: true }).shape,
  ...casePlay.pick({ exitCode: true, signal: true, leftBehind: true, output: true }).shape,
  durationMs: z.number(),
  /** How long the play was watched, from its first arrival. */
  watchedMs: z.number(),
  workers: z.number(),
  /** Requests with the key; those without it are counted separately, and got a 401. */
  sent: z.number(),
  withoutKey: z.number().default(0),
  refused: z.number(),
  served: z.number(),
  /** If the case was not played as asked, and so is not tested: what it asked for and what came. */
  notAsAsked: z.string().nullable().default(null),
  arrivals: z.array(arrivalRow),
  arrivalsLeftOut: z.number(),
})

/** A finished audit of a client, as data: everything that any renderer shows. */
export const clientReportModel = z.object({
  schemaVersion: z.literal(clientReportVersion),
  kind: z.literal('client'),
  tool: reportModel.shape.tool,
  run: reportModel.shape.run.omit({ plannedMs: true, timeScale: true, seed: true }),
  client: z.object({ command: z.string() }),
  outcome: reportModel.shape.outcome,
  headline: z.string(),
  /** Notes to read before the grade. */
  notes: z.array(z.string()).default([]),
  grade: z.object({
    letter: z.union([letter, z.literal('none')]).nullable(),
    best: letter,
    worst: letter,
    reasons: z.array(gradeReason),
  }),
  /** The audit that would settle on a quiet machine what was left open, and how long its plays took. */
  retry: z.object({ command: z.string(), tookMs: z.number() }).nullable().default(null),
  schedule,
  clauses: z.array(clauseRow.omit({ area: true, waived: true })),
  checks: z.array(checkRow.omit({ command: true, waived: true, advice: true, followsFrom: true, headers: true })),
  plays: z.array(clientPlayRow),
})

export type ClientReport = z.infer<typeof clientReportModel>
export type ClientPlayRow = z.infer<typeof clientPlayRow>
export type ClientGradeReason = z.infer<typeof gradeReason>
