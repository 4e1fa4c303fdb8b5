import { z } from 'zod'
import { apiContract } from '../contract/api-contract.js'
import { keyQuotaOf } from '../contract/plans.js'
import { exchange } from './exchange.js'
import type { Ledger } from './ledger.js'
import { loadRow } from './load-rows.js'

/** The probe with which a run looks at its target and keys, before it plays anything else. */
export const firstLookProbe = 'hello'

/** An obstacle, or something to report, before anything but hello is played; with the exchange that shows it. */
const seen = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), exchange: z.string() })
const obstacle = z.discriminatedUnion('kind', [
  /** No key got an answer. */
  seen('unreachable'),
  /** Likewise, because the target's certificate is not trusted. */
  seen('untrusted'),
  /** The operations answer below `/v1` of the given address. */
  seen('other-base'),
  /** There is no inventory at or below the address: each key got a 404. Reported, but no reason to end. */
  seen('no-inventory'),
  /** A given key was answered 401. */
  seen('key-rejected'),
  /** A 5xx; reported, but no reason to end. */
  seen('server-error'),
  /** Loads that may not be sent to the target's address. */
  z.object({ kind: z.literal('load-not-allowed'), probes: z.array(z.string()) }),
])
export type Obstacle = z.infer<typeof obstacle>

/** A run's first look at its target and keys; with `ended` nothing else was played. */
const firstLook = z.object({ at: z.number(), obstacles: z.array(obstacle), ended: z.boolean() })
export type FirstLook = z.infer<typeof firstLook>

export const journalVersion = 1

const quota = z.object({ minute: z.number(), day: z.number() }).transform(keyQuotaOf)

/** Describes a run: written first, before anything is sent. */
const runHead = z.object({
  type: z.literal('run'),
  journalVersion: z.literal(journalVersion),
  toolVersion: z.string(),
  id: z.string(),
  startedAt: z.string(),
  /** The wall clock at the run's start, in milliseconds since the epoch: the zero of every other time. */
  wallStartMs: z.number(),
  /** The machine's monotonic clock at that moment, the same for all processes: for resuming the run. */
  machineMs: z.number().optional(),
  scenario: z.string(),
  probes: z.array(
    z.object({
      probe: z.string(),
      settings: z.record(z.string(), z.unknown()),
      quota: z.string().optional(),
    }),
  ),
  contract: apiContract.optional(),
  gates: z.record(z.string(), z.unknown()),
  /** The events of the scenario; absent if it has none. Their commands are not recorded: they may hold a secret. */
  events: z.array(z.object({ name: z.string(), during: z.string(), at: z.number() })).optional(),
  waivers: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Clauses requested with --only, or left out with --skip. */
  only: z.array(z.string()),
  skip: z.array(z.string()),
  baseUrl: z.string(),
  timeScale: z.number(),
  seed: z.number(),
  strict: z.boolean(),
  readOnly: z.boolean(),
  /** What the user chose to do without if it proved to be missing; absent in runs that never asked. */
  withoutRejectedKeys: z.boolean().optional(),
  withoutLoad: z.boolean().optional(),
  /** The available keys by name, each with its plan and its agreed quota. */
  keys: z.array(
    z.object({
      name: z.string(),
      plan: z.string(),
      quota,
      /** The environment variable that it came from; null if it was given by a flag or in a file. Absent in older runs. */
      variable: z.string().nullable().optional(),
      /** In a view of a quota: the credential that is sent. */
      credential: z.string().optional(),
      /** Whether its secret mixes upper and lower case as no word does; absent if it has no letters. */
      letterCase: z.enum(['mixed', 'plain']).optional(),
      /** One byte of the key's hash, if the run spends its day: resuming requires the same key. */
      mark: z.int().min(0).max(255).optional(),
    }),
  ),
  /** The machines that send its loads; absent if the one that plays the run does. */
  agents: z.array(z.object({ name: z.string(), group: z.string(), target: z.string() })).optional(),
  planned: z.object({
    requests: z.array(
      z.object({ key: z.string(), probe: z.string(), requests: z.number(), ifUntold: z.boolean().optional() }),
    ),
    durationMs: z.number(),
    againMs: z.number().optional(),
  }),
  command: z.string(),
  environment: z.object({ node: z.string(), platform: z.string(), cpus: z.number() }),
})

export type RunHead = z.infer<typeof runHead>

/** What the user, the keys or the target lack for a probe, so that it is not played. */
export type SkipReason =
  | 'inventory-empty'
  | 'no-large-ids'
  | 'read-only'
  | 'day-too-small'
  | 'one-key-a-plan'
  | 'no-key-to-spare'

/** Why the target's answers kept a probe from being played to its end. */
export type BlockReason =
  | 'inventory-unreadable'
  | 'still-refused'
  | 'day-spent'
  | 'no-answer'
  | 'load-not-allowed'
  | 'agents-lost'
  | 'long-wait'
  | 'server-errors'
  | 'requests-spent'

/** How a probe ended. `skipped`: the target or the keys lack what it needs; `reason` is the code of what. */
const probeEnd = z.object({
  type: z.literal('probe'),
  probe: z.string(),
  /** The key that it was played on, if it is played on each, else null. */
  key: z.string().nullable(),
  quota: z.string().optional(),
  at: z.number(),
  end: z.enum(['completed', 'skipped', 'failed', 'interrupted']),
  reason: z.string(),
  /** If a key's day had no room for all of it: what it would have taken, and what was left. */
  room: z.object({ key: z.string(), needed: z.number(), left: z.number() }).optional(),
})

export type ProbeEnd = z.infer<typeof probeEnd>

const note = z.object({ type: z.literal('note'), at: z.number(), text: z.string() })

const event = z.object({
  type: z.literal('event'),
  name: z.string(),
  /** The ledger of the load that triggered the event, and how many of its requests had been sent. */
  ledger: z.string(),
  sent: z.number(),
  /** When the command began, and when it had ended. */
  at: z.number(),
  endedAt: z.number(),
})

export type RunEvent = z.infer<typeof event>

/** A pet's quantity before this run first touched it; and that it was put back. */
const petId = z.string().regex(/^-?\d{1,19}$/)

const touched = z.object({
  type: z.literal('touched'),
  petId,
  quantity: z.string().regex(/^-?\d{1,400}$/),
})

const restored = z.object({
  type: z.literal('restored'),
  petId,
  /** Put back after the run had ended, by another process, whose requests are not recorded. */
  later: z.literal(true).optional(),
})

const resumed = z.object({ type: z.literal('resumed'), at: z.number() })

/** What can end a run early, besides the user. */
const runEndCause = z.enum(['journal-broken', 'time-limit', 'target-silent', 'event-failed'])

export type RunEndCause = z.infer<typeof runEndCause>

const end = z.object({
  type: z.literal('end'),
  at: z.number(),
  interrupted: z.boolean(),
  /** Absent if the run came to its own end, or the user ended it. */
  cause: runEndCause.optional(),
})

export const record = z.discriminatedUnion('type', [
  runHead,
  exchange.extend({ type: z.literal('exchange') }),
  probeEnd,
  note,
  event,
  firstLook.extend({ type: z.literal('first-look') }),
  touched,
  restored,
  loadRow,
  resumed,
  end,
])

export type JournalRecord = z.infer<typeof record>

export interface SavedRun {
  readonly records: readonly JournalRecord[]
  readonly ledgers: readonly Ledger[]
  /** What could not be read, in sentences: usually the last line of a killed run. */
  readonly unreadable: readonly string[]
  /** The loads among them: requests were sent, but are not recorded. */
  readonly lostLoads: readonly string[]
}

/** Where a run records what happens, as it happens. Each record is with the operating system before the call returns. */
export interface Journal {
  write(record: JournalRecord): void
  keep(ledger: Ledger): void
  close(): void
}
