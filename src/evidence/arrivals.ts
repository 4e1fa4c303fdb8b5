import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const arrivalsVersion = 2

/** Describes an audit of a client: written first, before anything is started. */
const auditHead = z.object({
  type: z.literal('audit'),
  arrivalsVersion: z.literal(arrivalsVersion),
  toolVersion: z.string(),
  id: z.string(),
  startedAt: z.string(),
  /** The wall clock at the audit's start, in milliseconds since the epoch: the zero of every other time. */
  wallStartMs: z.number(),
  scenario: z.string(),
  /** The client's command, without its throwaway keys; `--listen` if it is started elsewhere. */
  client: z.string(),
  command: z.string(),
  strict: z.boolean(),
  /** How many cases the file has, and how many of them were requested; null if not recorded. */
  cases: z.object({ played: z.number(), of: z.number() }).nullable().default(null),
  environment: z.object({ node: z.string(), platform: z.string(), cpus: z.number() }),
})
export type AuditHead = z.infer<typeof auditHead>

/** One run of the client against one case; written when it has ended. */
export const casePlay = z.object({
  type: z.literal('play'),
  /** The case and the number of the play: `absent#3`. */
  id: z.string(),
  case: z.string(),
  title: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  /** `exit`: the client ended by itself. `watch`: the time was up. `attempts`: it had been refused often enough. */
  end: z.enum(['exit', 'watch', 'attempts', 'interrupted']),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  /** Whether the client left processes running, which were then ended. */
  leftBehind: z.boolean(),
  /** The end of the client's output, its key hidden. */
  output: z.string(),
  /** The work that it was given (`PETSTORE_REQUESTS`, `PETSTORE_WORKERS`). */
  asked: z.object({ requests: z.number(), workers: z.number(), operation: z.string() }),
  /** The `TZ` of the client for this case; null if it had the machine's time zone. */
  timeZone: z.string().nullable().default(null),
  /** The real quota that this play had to keep, if any; others may spend it too. */
  quota: z.object({ requests: z.number(), windowMs: z.number(), shared: z.boolean() }).nullable(),
})
export type CasePlay = z.infer<typeof casePlay>

/** How long threads waited for a processor: milliseconds by thread. */
const starvation = z.record(z.string(), z.number())

/** One request that a client sent. Times are milliseconds on the audit's monotonic clock. Holds no key. */
export const arrival = z.object({
  type: z.literal('arrival'),
  id: z.string(),
  play: z.string(),
  at: z.number(),
  /** A moment at which it had not come yet: the server looked for input then, and found nothing. */
  notBefore: z.number(),
  /** When its connection was accepted, and a moment at which it was not open yet. */
  acceptedAt: z.number(),
  openedAfter: z.number(),
  /** Just before the first byte of the answer was written; null if the client had gone by then. */
  answeredAt: z.number().nullable(),
  connection: z.number(),
  method: z.string(),
  path: z.string(),
  /** How the key was sent; `other` is none, or not the one that the client was given. */
  credential: z.enum(['bearer', 'none', 'other']),
  /** Whether the head held the client's own key in another form; absent in audits by earlier versions. */
  keyElsewhere: z.boolean().optional(),
  status: z.number(),
  retryAfter: z.string().nullable(),
  reset: z.string().nullable(),
  remaining: z.string().nullable(),
  /** Whether this answer triggered the key's ban, or came during it. */
  banned: z.boolean(),
  /**
   * How long each of the client's threads had waited for a processor since it started, by the time the request was read and
   * by the time it was answered. Null if the system does not tell, if the client's processes come and go, and before the
   * first refusal.
   */
  starved: starvation.nullable(),
  starvedByAnswer: starvation.nullable(),
})
export type Arrival = z.infer<typeof arrival>

/** A beat of the control, our own process that sends at a fixed interval: when it is late, the machine is. */
const beat = z.object({ type: z.literal('beat'), at: z.number(), lateMs: z.number() })

const end = z.object({ type: z.literal('end'), at: z.number(), interrupted: z.boolean() })

const record = z.discriminatedUnion('type', [auditHead, casePlay, arrival, beat, end])
export type ArrivalRecord = z.infer<typeof record>

export const arrivalsName = 'arrivals.jsonl'

/** Opens the record of a new audit in `folder`, which is created; it overwrites an earlier one. */
export const openArrivals = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const file = openSync(join(folder, arrivalsName), 'w')
  return {
    write: (each: ArrivalRecord) => {
      writeSync(file, `${JSON.stringify(each)}\n`)
    },
    close: () => closeSync(file),
  }
}

export const auditOf = (records: readonly ArrivalRecord[]) => {
  const head = records.find((each) => each.type === 'audit')
  if (!head) throw new Error('the record does not begin with an audit')
  const last = records.findLast((each) => each.type === 'end')
  const plays = records.filter((each) => each.type === 'play').toSorted((a, b) => a.startedAt - b.startedAt)
  return {
    head,
    plays,
    arrivals: records.filter((each) => each.type === 'arrival').toSorted((a, b) => a.at - b.at),
    beats: records.filter((each) => each.type === 'beat'),
    endedAt: last?.at ?? Math.max(0, ...plays.map((each) => each.endedAt)),
    interrupted: last?.interrupted ?? true,
  }
}

export type Audit = ReturnType<typeof auditOf>

const readLine = (line: string): ArrivalRecord[] => {
  try {
    const parsed = record.safeParse(JSON.parse(line))
    return parsed.success ? [parsed.data] : []
  } catch {
    return []
  }
}

/** Reads a saved audit; incomplete lines are left out, such as the last one of a killed audit. */
export const readArrivals = (folder: string): Audit =>
  auditOf(readFileSync(join(folder, arrivalsName), 'utf8').split('\n').flatMap(readLine))
