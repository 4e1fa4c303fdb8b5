import { randomBytes } from 'node:crypto'
import { mostAttempts } from '../../client-audit/checks/attempts.js'
import type { ClientCases } from '../../client-audit/client-cases.js'
import { windowLengthMs } from '../../contract/plans.js'
import type { ArrivalRecord, CasePlay } from '../../evidence/arrivals.js'
import { createRedactor } from '../../evidence/redaction.js'
import type { Clock } from '../../kit/clock.js'
import { aborted, latch } from '../../kit/deadline.js'
import { type ClientProcess, startClient } from './client-process.js'
import { type ScriptedArrival, startScriptedServer, type watchInput } from './scripted-server.js'

type ClientCase = ClientCases['cases'][number]

/** One start of the client against one case. */
export interface PlannedPlay {
  readonly id: string
  readonly case: ClientCase
}

export interface PlayContext {
  /** Starts at 0 with the audit. */
  readonly clock: Clock
  readonly input: ReturnType<typeof watchInput>
  readonly environment: NodeJS.ProcessEnv
  readonly write: (record: ArrivalRecord) => void
  readonly interrupt: AbortSignal
  /** The running clients, which are ended whenever the audit ends. */
  readonly running: Set<ClientProcess>
}

/** Starts the server of a play; every arrival is recorded at once. `client`: its client, once we have started it. */
const openPlay = async (planned: PlannedPlay, context: PlayContext, client: () => ClientProcess | undefined) => {
  const { clock, input, write } = context
  const key = `play-${randomBytes(15).toString('hex')}`
  const redactor = createRedactor()
  redactor.hide(key, '‹key›')
  const redact = (text: string): string => redactor.redact(text)
  const first = latch()
  const tooMany = latch()
  let atOnce = 0
  let firstRefusedAt = Number.POSITIVE_INFINITY
  let count = 0
  let refused = 0
  const onArrival = ({ headers, path, keyElsewhere, ...seen }: ScriptedArrival) => {
    count += 1
    if (seen.status !== 200) {
      refused += 1
      firstRefusedAt = Math.min(firstRefusedAt, seen.answeredAt ?? seen.at)
    }
    if (seen.at <= firstRefusedAt) atOnce += 1
    write({
      type: 'arrival',
      id: `${planned.id}.${count}`,
      play: planned.id,
      ...seen,
      path: redact(path),
      ...(keyElsewhere && { keyElsewhere }),
      retryAfter: headers['Retry-After'] ?? null,
      reset: headers['X-RateLimit-Reset'] ?? null,
      remaining: headers['X-RateLimit-Remaining'] ?? null,
    })
    first.open()
    // The bound counts attempts for each request that the case asks for or, if more came at once, for each of those.
    if (refused > mostAttempts * Math.max(planned.case.work.requests, atOnce)) tooMany.open()
  }
  const server = await startScriptedServer({
    script: planned.case,
    key,
    clock,
    input,
    starved: () => client()?.starved() ?? null,
    onArrival,
  })
  return {
    url: server.url,
    key,
    redact,
    /** Resolves with the first request; never if none comes. */
    firstArrival: first.opened,
    /** Resolves once more requests were refused than a bounded client would send. */
    tooMany: tooMany.opened,
    startedAt: clock.monotonicMs(),
    close: () => server.close(),
  }
}

type OpenPlay = Awaited<ReturnType<typeof openPlay>>

const quotaOf = ({ quota }: ClientCase): CasePlay['quota'] =>
  quota
    ? {
        requests: quota.requests,
        windowMs: windowLengthMs('minute', quota.timeScale),
        shared: quota.othersPerSecond > 0,
      }
    : null

const environmentFor = ({ case: { work, timeZone } }: PlannedPlay, { url, key }: OpenPlay, own: NodeJS.ProcessEnv) => ({
  ...own,
  ...(timeZone !== undefined && { TZ: timeZone }),
  PETSTORE_BASE_URL: url,
  PETSTORE_API_KEY: key,
  PETSTORE_REQUESTS: String(work.requests),
  PETSTORE_WORKERS: String(work.workers),
  PETSTORE_OPERATION: work.operation,
})

/** The client: one that we start, or one that somebody else starts after being told the address. */
type Client =
  | {
      readonly command: readonly string[]
      /** Called when the client has sent its first request, or after a second and a half. */
      readonly onStarted: () => void
    }
  | { readonly announce: (play: PlannedPlay, url: string, key: string) => void }

/**
 * Plays a case with a client until the client ends, its time is up (for a client started elsewhere, counted from its first
 * request), or the audit is interrupted. Ends everything that a client of ours has started.
 */
export const playCase = async (planned: PlannedPlay, context: PlayContext, by: Client): Promise<void> => {
  const { clock, interrupt, running } = context
  const { case: played } = planned
  let client: ClientProcess | undefined
  const open = await openPlay(planned, context, () => client)
  const watch = new AbortController()
  const until = (ms: number) => clock.sleep(ms, watch.signal).catch(() => undefined)
  const interrupted = aborted(interrupt, watch.signal)
  try {
    if ('announce' in by) {
      by.announce(planned, open.url, open.key)
      await Promise.race([open.firstArrival, interrupted])
    } else {
      client = await startClient(
        by.command.map((word) => word.replaceAll('{url}', open.url).replaceAll('{key}', open.key)),
        environmentFor(planned, open, context.environment),
        open.key,
      )
      running.add(client)
      void Promise.race([open.firstArrival, client.ended, until(1_500)]).then(by.onStarted)
    }
    const end = await Promise.race([
      ...(client ? [client.ended.then(() => 'exit' as const)] : []),
      open.tooMany.then(() => 'attempts' as const),
      until(played.watchSeconds * 1000).then(() => 'watch' as const),
      interrupted.then(() => 'interrupted' as const),
    ])
    const endedAt = clock.monotonicMs()
    const exit = client?.exit() ?? null
    const leftBehind = (await client?.stop()) === true && exit !== null
    if (client) running.delete(client)
    await open.close()
    context.write({
      type: 'play',
      id: planned.id,
      case: played.id,
      title: played.title,
      startedAt: open.startedAt,
      endedAt,
      end,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      leftBehind,
      output: open.redact(client?.output() ?? ''),
      timeZone: (client && played.timeZone) ?? null,
      asked: played.work,
      quota: quotaOf(played),
    })
  } finally {
    watch.abort()
    if ('onStarted' in by) by.onStarted()
    await open.close().catch(() => undefined)
  }
}
