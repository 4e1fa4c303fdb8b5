import type { Arrival, Audit, CasePlay } from '../../evidence/arrivals.js'
import { readRetryAfter } from '../../readings/limit-values.js'

/** A day: longer waits are not judged by the second (CLIENT-1). */
export const longestJudgedSeconds = 86_400

const imfFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /

/**
 * What a refusal asks for. From `untilMs` on, by the audit's clock, the client may come: seconds count from the answer (RFC
 * 9110 §10.2.3). `obsolete-date` is a date in the form of RFC 850 or asctime, which no server may send. `unusable` is
 * malformed, or a date in the past.
 */
export type NamedWait =
  | {
      readonly kind: 'seconds' | 'date' | 'obsolete-date' | 'huge' | 'reset'
      readonly untilMs: number
      readonly text: string
    }
  | { readonly kind: 'zero' | 'unusable' | 'none'; readonly text: string }

/** Reads what a refusal names. `wallStartMs` is the wall clock at the audit's zero. */
const namedWait = (refusal: Arrival, wallStartMs: number): NamedWait => {
  const from = refusal.answeredAt ?? refusal.at
  const text = refusal.retryAfter ?? ''
  const read = readRetryAfter(refusal.retryAfter === null ? [] : [['Retry-After', refusal.retryAfter]])
  if (read.form === 'seconds') {
    if (read.seconds === 0) return { kind: 'zero', text }
    const untilMs = from + read.seconds * 1000
    return { kind: read.seconds > longestJudgedSeconds ? 'huge' : 'seconds', untilMs, text }
  }
  if (read.form === 'date') {
    const untilMs = read.epochMs - wallStartMs
    if (untilMs <= from) return { kind: 'unusable', text }
    return { kind: imfFixdate.test(text.trim()) ? 'date' : 'obsolete-date', untilMs, text }
  }
  if (read.form === 'malformed') return { kind: 'unusable', text }
  const reset = refusal.reset !== null && /^\d{1,12}$/.test(refusal.reset) ? Number(refusal.reset) : undefined
  const untilMs = reset === undefined ? from : reset * 1000 - wallStartMs
  return untilMs > from ? { kind: 'reset', untilMs, text: '' } : { kind: 'none', text: '' }
}

/** The header as it was in the answer, for readers. */
export const inWords = (named: NamedWait): string =>
  named.kind === 'reset' ? 'X-RateLimit-Reset' : named.kind === 'none' ? 'no wait' : `Retry-After: ${named.text}`

export interface Refusal {
  readonly arrival: Arrival
  readonly answeredAt: number
  readonly named: NamedWait
}

/** The requests with the key of one play, in order. */
export interface Story {
  readonly play: CasePlay
  readonly arrivals: readonly Arrival[]
  readonly refusals: readonly Refusal[]
  /** The most requests in flight at one time. */
  readonly workers: number
}

/** The pauses between each answer and the next arrival. */
export const pausesIn = (arrivals: readonly Pick<Arrival, 'at' | 'answeredAt'>[]): number[] =>
  arrivals.slice(1).map(({ at }, index) => at - (arrivals[index].answeredAt ?? arrivals[index].at))

const refused = ({ status }: Arrival): boolean => status === 429 || status === 503

const mostAtOnce = (arrivals: readonly Arrival[]): number => {
  const edges = arrivals.flatMap(({ at, answeredAt }) => [
    { at, step: 1 },
    { at: answeredAt ?? at, step: -1 },
  ])
  let open = 0
  let most = 0
  // At the same instant, the answer counts before the request.
  for (const { step } of edges.sort((a, b) => a.at - b.at || a.step - b.step)) {
    open += step
    most = Math.max(most, open)
  }
  return Math.max(most, arrivals.length > 0 ? 1 : 0)
}

/** The plays of an audit, each with its arrivals in order. Interrupted plays have those until then. */
export const storiesOf = (audit: Audit): readonly Story[] => {
  const withKey = audit.arrivals.filter(({ credential }) => credential === 'bearer')
  return audit.plays.map((play) => {
    const arrivals = withKey.filter((arrival) => arrival.play === play.id)
    const refusals = arrivals.filter(refused).map((arrival) => ({
      arrival,
      answeredAt: arrival.answeredAt ?? arrival.at,
      named: namedWait(arrival, audit.head.wallStartMs),
    }))
    return { play, arrivals, refusals, workers: mostAtOnce(arrivals) }
  })
}

/** Whether the client retried: more requests came than were in flight at the first refusal. */
export const triesAgain = ({ arrivals, refusals, play }: Story): boolean => {
  const [first] = refusals
  if (!first) return false
  const later = arrivals.filter(({ at }) => at > first.answeredAt).length
  const stillToDo = Math.max(0, play.asked.requests - (arrivals.length - later))
  return later > stillToDo
}

/**
 * The shortest pause after which a client came again: one that is silent for less may still come. Where it sends one
 * request at a time, as far as it does: otherwise what came may be another request.
 */
export const shortestPauseMs = (stories: readonly Story[]): number => {
  const alone = stories.filter(({ play, workers }) => play.asked.requests === 1 && workers === 1)
  return Math.min(
    ...(alone.length > 0 ? alone : stories).flatMap(({ arrivals, refusals }) =>
      refusals.flatMap(({ arrival, answeredAt }) => {
        const next = arrivals[arrivals.indexOf(arrival) + 1]
        return next ? [next.at - answeredAt] : []
      }),
    ),
  )
}

/** How the machine distorts a client's times, as the control shows: it only makes requests late, never early. */
export interface Noise {
  /** The most that the control was late around a span of time. */
  mostMs(from: number, to: number): number
  /** The 90th percentile of the beats' delay in a span of time. */
  usualMs(from: number, to: number): number
}

/** The control beats a few times a second; anything this close to a beat is delayed like it. */
const nearMs = 500

/** Reads the control's beats. Without any, no delay is known. */
export const noiseOf = (beats: Audit['beats']): Noise => {
  const around = (from: number, to: number) =>
    beats.filter(({ at, lateMs }) => at >= from - nearMs && at - lateMs <= to + nearMs).map(({ lateMs }) => lateMs)
  return {
    mostMs: (from, to) => Math.max(0, ...around(from, to)),
    usualMs: (from, to) => {
      const late = around(from, to).sort((a, b) => a - b)
      return late[Math.floor(late.length * 0.9)] ?? late[late.length - 1] ?? 0
    },
  }
}

/** How long a client's threads waited for a processor: in total, and the longest; undefined if unknown. */
export const starvedBetween = ({ arrival: refused }: Refusal, { starved }: Arrival) => {
  const { starvedByAnswer: before } = refused
  if (starved === null || before === null) return undefined
  const waits = Object.entries(starved).map(([thread, ms]) => ms - (before[thread] ?? 0))
  return { togetherMs: waits.reduce((sum, each) => sum + each, 0), longestMs: Math.max(0, ...waits) }
}

export interface ClientEvidence {
  readonly audit: Audit
  readonly stories: readonly Story[]
  readonly noise: Noise
}

export const clientEvidence = (audit: Audit): ClientEvidence => ({
  audit,
  stories: storiesOf(audit),
  noise: noiseOf(audit.beats),
})
