import { randomBytes } from 'node:crypto'
import type { Script } from '../../../reference-server/scripted/answer-of.js'
import {
  type InputWatch,
  type ScriptedArrival,
  type ScriptedServer,
  startScriptedServer,
} from '../../../reference-server/scripted/scripted-server.js'
import { mostAttempts } from '../../client-audit/checks/attempts.js'
import type { ClientCase } from '../../client-audit/client-cases.js'
import { windowMs } from '../../contract/plans.js'
import type { Arrival, ArrivalRecord, CasePlay } from '../../evidence/arrivals.js'
import { createRedactor } from '../../evidence/redaction.js'
import type { Clock } from '../../kit/clock.js'
import { aborted, latch } from '../../kit/deadline.js'
import { type ClientProcess, startClient } from './client-process.js'

/** One start of the client against one case. */
export interface PlannedPlay {
  readonly id: string
  readonly case: ClientCase
}

export interface PlayContext {
  readonly clock: Clock
  /** The clock's reading at the audit's start. */
  readonly zeroMs: number
  readonly input: InputWatch
  readonly write: (record: ArrivalRecord) => void
  readonly interrupt: AbortSignal
  /** The clients that are running: whatever ends the audit, they are ended with it. */
  readonly running: Set<ClientProcess>
}

/** A server that waits for its client, and what has arrived there. */
export interface OpenPlay {
  readonly url: string
  readonly key: string
  /** Resolves with the first request, and never where none comes. */
  readonly firstArrival: Promise<void>
  /** Resolves once more was refused than can be bounded. */
  readonly tooMany: Promise<void>
  readonly startedAt: number
  close(): Promise<void>
}

const scriptOf = (each: ClientCase): Script => {
  if (each.answers) return { kind: 'answers', answers: each.answers }
  if (each.patience) return { kind: 'patience', patience: each.patience }
  if (!each.quota) throw new Error(`case ${each.id} says nothing of its answers`)
  const { timeScale, ...quota } = each.quota
  return { kind: 'quota', quota: { ...quota, windowMs: windowMs('minute', timeScale) } }
}

const headerOf = (headers: Readonly<Record<string, string>>, name: string): string | null => headers[name] ?? null

const arrivalOf = (
  seen: ScriptedArrival,
  id: string,
  play: string,
  zeroMs: number,
  redact: (text: string) => string,
): Arrival => ({
  type: 'arrival',
  id,
  play,
  at: seen.atMs - zeroMs,
  notBefore: seen.notBeforeMs - zeroMs,
  acceptedAt: seen.acceptedAtMs - zeroMs,
  openedAfter: seen.openedAfterMs - zeroMs,
  answeredAt: seen.answeredAtMs === null ? null : seen.answeredAtMs - zeroMs,
  connection: seen.connection,
  method: seen.method,
  path: redact(seen.path),
  credential: seen.credential,
  status: seen.status,
  retryAfter: headerOf(seen.headers, 'Retry-After'),
  reset: headerOf(seen.headers, 'X-RateLimit-Reset'),
  remaining: headerOf(seen.headers, 'X-RateLimit-Remaining'),
  banned: seen.banned,
  starved: seen.starved,
  starvedByAnswer: seen.starvedByAnswer,
})

/**
 * Starts the server of a play; every arrival is on record as soon as it has been answered. `client` is its client, once
 * that has been started by us.
 */
export const openPlay = async (
  planned: PlannedPlay,
  context: PlayContext,
  client: () => ClientProcess | undefined = () => undefined,
): Promise<OpenPlay> => {
  const { clock, zeroMs, input, write } = context
  const key = `play-${randomBytes(15).toString('hex')}`
  const redactor = createRedactor()
  redactor.hide(key, '‹key›')
  const first = latch()
  const tooMany = latch()
  const atOnce: number[] = []
  let firstRefusedAt = Number.POSITIVE_INFINITY
  let count = 0
  let refused = 0
  const onArrival = (seen: ScriptedArrival) => {
    count += 1
    if (seen.status !== 200) {
      refused += 1
      firstRefusedAt = Math.min(firstRefusedAt, seen.answeredAtMs ?? seen.atMs)
    }
    if (seen.atMs <= firstRefusedAt) atOnce.push(seen.atMs)
    const id = `${planned.id}.${count}`
    write(arrivalOf(seen, id, planned.id, zeroMs, (text) => redactor.redact(text)))
    first.open()
    // Each request may be tried that often: those that were asked for, or came at once unasked.
    if (refused > mostAttempts * Math.max(planned.case.work.requests, atOnce.length)) tooMany.open()
  }
  const server: ScriptedServer = await startScriptedServer({
    script: scriptOf(planned.case),
    key,
    clock,
    input,
    starved: () => client()?.starved() ?? null,
    onArrival,
  })
  return {
    url: server.url,
    key,
    firstArrival: first.opened,
    tooMany: tooMany.opened,
    startedAt: clock.monotonicMs() - zeroMs,
    close: () => server.close(),
  }
}

/** What is on record of a play once it has ended. */
export const playRecord = (
  { id, case: played }: PlannedPlay,
  times: { readonly startedAt: number; readonly endedAt: number },
  client: Pick<CasePlay, 'end' | 'exitCode' | 'signal' | 'leftBehind' | 'output' | 'timeZone'>,
): CasePlay => ({
  type: 'play',
  id,
  case: played.id,
  title: played.title,
  ...times,
  ...client,
  asked: played.work,
  quota: played.quota
    ? {
        requests: played.quota.requests,
        windowMs: windowMs('minute', played.quota.timeScale),
        shared: played.quota.othersPerSecond > 0,
      }
    : null,
})

const environmentFor = ({ case: { work, timeZone } }: PlannedPlay, { url, key }: OpenPlay, own: NodeJS.ProcessEnv) => ({
  ...own,
  ...(timeZone !== undefined && { TZ: timeZone }),
  PETSTORE_BASE_URL: url,
  PETSTORE_API_KEY: key,
  PETSTORE_REQUESTS: String(work.requests),
  PETSTORE_WORKERS: String(work.workers),
  PETSTORE_OPERATION: work.operation,
})

const filledIn = (command: readonly string[], { url, key }: OpenPlay): string[] =>
  command.map((word) => word.replaceAll('{url}', url).replaceAll('{key}', key))

/**
 * Starts the client against a case, watches it until it ends or the time is up, and ends all that it has started.
 * `onStarted` is called once the client has sent its first request, or has had a second and a half for it.
 */
export const playCase = async (
  planned: PlannedPlay,
  command: readonly string[],
  context: PlayContext & { readonly environment: NodeJS.ProcessEnv; readonly onStarted: () => void },
): Promise<void> => {
  const { clock, zeroMs, interrupt } = context
  let started: ClientProcess | undefined
  const open = await openPlay(planned, context, () => started)
  const watch = new AbortController()
  try {
    const environment = environmentFor(planned, open, context.environment)
    const client = await startClient(filledIn(command, open), environment, open.key)
    started = client
    context.running.add(client)
    const until = (ms: number) => clock.sleep(ms, watch.signal).catch(() => undefined)
    void Promise.race([open.firstArrival, client.ended, until(1_500)]).then(context.onStarted)
    const end = await Promise.race([
      client.ended.then(() => 'exit' as const),
      open.tooMany.then(() => 'attempts' as const),
      until(planned.case.watchSeconds * 1000).then(() => 'watch' as const),
      aborted(interrupt, watch.signal).then(() => 'interrupted' as const),
    ])
    const endedAt = clock.monotonicMs() - zeroMs
    const exit = client.exit()
    const leftBehind = (await client.stop()) && exit !== null
    context.running.delete(client)
    await open.close()
    const redactor = createRedactor()
    redactor.hide(open.key, '‹key›')
    context.write(
      playRecord(
        planned,
        { startedAt: open.startedAt, endedAt },
        {
          end,
          exitCode: exit?.exitCode ?? null,
          signal: exit?.signal ?? null,
          leftBehind,
          output: redactor.redact(client.output()),
          timeZone: planned.case.timeZone ?? null,
        },
      ),
    )
  } finally {
    watch.abort()
    context.onStarted()
    await open.close().catch(() => undefined)
  }
}
