import { operations, pathOf } from '../../contract/petstore/operations.js'
import { type KeyQuota, secondMs, waitSlackMs } from '../../contract/plans.js'
import { carriesKey, isValidForm } from '../../evidence/credential-forms.js'
import type { Exchange, HeaderLine } from '../../evidence/exchange.js'
import type { Clock } from '../../kit/clock.js'
import { driftMargin } from '../../probes/moves/fresh-window.js'
import { mostWindowsForAnswer } from '../../probes/moves/gentle.js'
import { type KeyFacts, ProbeBlocked, type Question } from '../../probes/probe.js'
import type { Credential } from '../../wire/http/credentials.js'
import type { Ask, ExchangeSender } from '../../wire/http/exchange-sender.js'
import { type Budget, bookedOn, strangers } from '../plan/budget.js'
import { type ContractQuota, requestNameOf, type UsageBook } from './contract-ways.js'
import { limitHintsOf } from './limit-hints.js'
import type { RunLog } from './run-log.js'

/**
 * Keeps what a key sends below its plan's limit in any span of W, so that no admissible limiter refuses it. With 60 a
 * minute: 60 requests may go out at once, the next one 60.6 s after the first. It only counts; the session waits.
 */
interface Pacing {
  /** The earliest moment at which one more request stays within the limit. */
  readyAt(): number
  sent(at: number, count?: number): void
}

export const createPacing = (quota: KeyQuota, minuteMs: number): Pacing => {
  let recent: { at: number; count: number }[] = []
  return {
    readyAt() {
      let room = quota.limit
      for (let i = recent.length - 1; i >= 0; i -= 1) {
        room -= recent[i].count
        if (room <= 0) return recent[i].at + minuteMs * driftMargin
      }
      return 0
    },
    sent(at, count = 1) {
      recent = [...recent.filter((each) => each.at > at - 2 * minuteMs), { at, count }]
    },
  }
}

interface KeySessionSetup {
  readonly key: KeyFacts
  readonly minuteMs: number
  readonly sender: ExchangeSender
  readonly clock: Clock
  readonly startedAt: number
  readonly log: RunLog
  readonly budget: Budget
  readonly signal: AbortSignal
  /** Aborted where not even a write is awaited any more; never, if absent. */
  readonly dropped?: AbortSignal
  /** The key's share of what the run may send in a second. */
  readonly mostPerSecond?: number
  /** For how long a refusal blocks by the contract file. */
  readonly longestBlockMs?: number
  /** The quota of a contract file that the session is for; absent for the bundled contract. */
  readonly quota?: ContractQuota
  /** To be told of what went out by a contract file, so that other quotas know. */
  readonly used?: UsageBook['used']
  /** What had gone out on the key when the run stopped that this one goes on with. */
  readonly usedBefore?: { readonly sent: number; readonly lastSentAt: number }
}

/**
 * Single requests on one key, and what is known of the key by them and by its loads. `ask` keeps within the plan's
 * limit, and waits until the time that the last 429 named; `askOnce` does neither.
 */
export interface KeySession {
  readonly key: KeyFacts
  /** The quota of a contract file that it is for. */
  readonly quota?: ContractQuota
  now(): number
  lastUsedAt(): number
  longestRoundTripMs(): number
  /** Requests that are left of the key's day, by what this run has sent and the target's headers show. */
  dayLeft(): number
  waitUntil(at: number, why: string, signal?: AbortSignal): Promise<void>
  ask(probe: string, question: Question, signal?: AbortSignal): Promise<Exchange>
  askOnce(probe: string, question: Question, signal?: AbortSignal): Promise<Exchange>
  /** To be told of a load on the key: how much was sent, when the last, and what it showed to be left of the day. */
  loaded(probe: string, count: number, lastSentAt: number, dayShown?: number, request?: string): void
}

/** How often a question is put, with a wait after each 429, until the refusal is taken for the answer. */
const mostTimesAsked = 5

/** Waits longer than this are told to whoever watches the run. */
const longWaitMs = 1_000

/** A connection that breaks later than this after the request was sent was not being closed already. */
const droppedWithinMs = 1_000

const spendsKey = ({ as = 'bearer' }: Question): boolean => carriesKey(as)

/** Forms that are no valid credential, or may be taken for none: booked as strangers. */
const isStranger = ({ as = 'bearer' }: Question): boolean => !isValidForm(as)

const contentTypeOf = ({ body, contentType }: Question): HeaderLine[] => {
  if (contentType === null || (body === undefined && contentType === undefined)) return []
  return [['Content-Type', contentType ?? 'application/json']]
}

/** What a question asks by a contract file: one of its requests, unless the question has its own. */
const askedByContract = ({ contract, spec }: ContractQuota, key: KeyFacts, question: Question) => {
  const { request = requestNameOf(key, { spec }) } = question
  const { method, path, headers, body } = contract.requests[request]
  return {
    operation: request,
    quota: spec.id,
    method,
    path: question.path ?? path,
    credential: { form: 'agreed', key: question.credential ?? key.credential ?? key.name },
    headers: [...Object.entries(headers), ...(question.headers ?? [])],
    body,
  } satisfies Partial<Ask>
}

/** The same of the bundled interface. */
const askedOfPets = ({ name }: KeyFacts, question: Question) => {
  const operation = question.operation ? operations[question.operation] : undefined
  const { as = 'bearer' } = question
  const credential: Credential = as === 'none' ? { form: 'none' } : { form: as, key: name }
  return {
    operation: operation?.id ?? null,
    method: question.method ?? operation?.method ?? 'GET',
    path: question.path ?? (question.operation ? pathOf(question.operation, question.petId) : '/'),
    credential,
    headers: [...contentTypeOf(question), ...(question.headers ?? [])],
    body: question.body,
  } satisfies Partial<Ask>
}

export const createKeySession = (setup: KeySessionSetup): KeySession => {
  const { key, minuteMs, sender, clock, startedAt, log, budget, mostPerSecond = Number.POSITIVE_INFINITY } = setup
  const pacing = createPacing(key.quota, minuteMs)
  if (setup.usedBefore) pacing.sent(setup.usedBefore.lastSentAt, Math.min(setup.usedBefore.sent, key.quota.limit))
  const now = () => clock.monotonicMs() - startedAt
  const clockNow = () => setup.quota?.reads.clock() ?? log.clock()
  let lastUsedAt = setup.usedBefore?.lastSentAt ?? 0
  let notBefore = 0
  let lastSentAt = Number.NEGATIVE_INFINITY
  let longestRoundTripMs = 0
  let sentInAll = setup.usedBefore?.sent ?? 0
  /** What the target last showed to be left of the day, and what had gone out by then. */
  let dayShown = { left: Number.POSITIVE_INFINITY, sentBy: 0 }
  let lastRemaining: number | undefined

  const waitUntil = async (at: number, why: string, signal = setup.signal) => {
    const waitMs = at - now()
    if (waitMs <= 0) return
    if (waitMs > longWaitMs) {
      log.write({ type: 'note', at: now(), text: `${key.name}: waiting ${(waitMs / 1000).toFixed(1)} s for ${why}` })
      log.progress({ kind: 'waiting', at: now(), key: key.name, until: at, why })
    }
    await clock.sleep(waitMs, signal)
  }

  /**
   * Whether `Remaining: 0` is to be waited for, given the answer's status and the Remaining before it. On a 200 it is,
   * unless the key was at 0 already and served all the same: then the header is wrong. On an error it is only after a
   * 1, so 2, 1, 0 but not 40, 0: a gateway's error may show a zero that is not this limiter's.
   */
  const isBelieved = (status = 0): boolean =>
    status === 200 ? lastRemaining !== 0 : lastRemaining === 1 && status >= 400 && status < 429

  /** Learns from an answer when the key may go on, and what is left of its day. */
  const heed = (x: Exchange) => {
    const { limit, remaining, resetAt, retryAt } = limitHintsOf(x, clockNow(), setup.quota?.reads.read)
    const showsDay = limit === key.quota.longer && limit !== key.quota.limit && x.credential === 'bearer'
    // Under a ban nothing remains of anything, and the day is not spent by that.
    const isBanned = x.response?.status === 403
    if (showsDay && remaining !== undefined && !isBanned) dayShown = { left: remaining, sentBy: sentInAll }
    if (x.response?.status === 429) notBefore = Math.max(notBefore, retryAt ?? now() + minuteMs)
    const isSpent = x.credential === 'bearer' && remaining === 0 && isBelieved(x.response?.status)
    if (x.credential === 'bearer') lastRemaining = remaining
    if (isSpent && resetAt !== undefined)
      notBefore = Math.max(notBefore, Math.min(resetAt + secondMs, now() + minuteMs))
    if (x.receivedAt !== null) longestRoundTripMs = Math.max(longestRoundTripMs, x.receivedAt - x.sentAt)
  }

  const sendOne = async (probe: string, question: Question, signal: AbortSignal, asksAgain?: string) => {
    if (asksAgain) budget.spend('any', 'asked-again')
    else budget.spend(isStranger(question) ? strangers : bookedOn(key), probe)
    // Set before the wait, so that several requests at once each get a moment of their own.
    const at = Math.max(now(), lastSentAt + 1000 / mostPerSecond)
    lastSentAt = at
    await waitUntil(at, 'room below the most requests in a second', signal)
    signal.throwIfAborted()
    const request: Ask = {
      probe,
      step: question.step,
      intent: question.intent ?? {},
      asksAgain,
      ...(setup.quota ? askedByContract(setup.quota, key, question) : askedOfPets(key, question)),
    }
    // A write under way is awaited even then: one that is dropped half-way may still take effect later.
    const forWrites = signal === setup.signal ? setup.dropped : undefined
    const came = await sender.send(request, request.method === 'GET' ? signal : forWrites)
    // Whoever asked sees the answer as the contract reads it; what is recorded is the answer as it came.
    const x = setup.quota?.reads.exchange(came) ?? came
    if (spendsKey(question)) {
      lastUsedAt = x.sentAt
      sentInAll += 1
      pacing.sent(x.sentAt)
      if (x.quota !== undefined) tellUse(x.sentAt, came.key ?? key.name, x.operation ?? '', 1)
    }
    heed(x)
    signal.throwIfAborted()
    return x
  }

  /** Ends the probe where the key has to wait for longer than a minute's limit explains, whoever was told so. */
  const refuseLongWait = () => {
    if (notBefore - now() > mostWindowsForAnswer * minuteMs + (setup.longestBlockMs ?? 0) + waitSlackMs)
      throw new ProbeBlocked('long-wait')
  }

  const tellUse = (at: number, credential: string, probe: string, count: number) =>
    setup.used?.({ at, credential, probe, count })

  const askOnce = (probe: string, question: Question, signal = setup.signal) => sendOne(probe, question, signal)

  /** Whether a request was lost on a connection that the target was just closing: it is put once more. */
  const wasDropped = (x: Exchange) =>
    x.error !== null && x.receivedAt === null && x.error.phase === 'head' && x.endedAt - x.sentAt < droppedWithinMs

  const ask = async (probe: string, question: Question, signal = setup.signal) => {
    let asksAgain: string | undefined
    for (let times = 1; ; times += 1) {
      if (spendsKey(question)) await waitUntil(pacing.readyAt(), 'room within the limit', signal)
      refuseLongWait()
      await waitUntil(notBefore, 'the quota to be there again', signal)
      const x = await sendOne(probe, question, signal, asksAgain)
      const isRefused = x.response?.status === 429
      if (!isRefused && !(wasDropped(x) && times === 1)) return x
      if (times === mostTimesAsked || !budget.mayAskAgain()) return x
      if (isRefused) refuseLongWait()
      asksAgain = x.id
    }
  }

  return {
    key,
    quota: setup.quota,
    now,
    lastUsedAt: () => lastUsedAt,
    longestRoundTripMs: () => longestRoundTripMs,
    dayLeft: () => Math.max(0, Math.min(key.quota.longer, dayShown.left + dayShown.sentBy) - sentInAll),
    waitUntil,
    ask,
    askOnce,
    loaded(probe, count, lastSentAt, leftOfDay, request) {
      budget.spend(bookedOn(key), probe, count)
      sentInAll += count
      if (leftOfDay !== undefined) dayShown = { left: leftOfDay, sentBy: sentInAll }
      pacing.sent(lastSentAt, Math.min(count, key.quota.limit))
      if (setup.quota)
        tellUse(lastSentAt, key.credential ?? key.name, request ?? requestNameOf(key, setup.quota), count)
      lastUsedAt = Math.max(lastUsedAt, lastSentAt)
    },
  }
}
