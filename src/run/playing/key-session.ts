import { atScale, longestBlockMs } from '../../contract/partitions.js'
import { secondMs, waitSlackMs } from '../../contract/plans.js'
import { carriesKey, isValidForm } from '../../evidence/credential-forms.js'
import { type Exchange, isAnswered, isGatewayAnswer } from '../../evidence/exchange.js'
import type { RunHead } from '../../evidence/journal.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import type { Clock } from '../../kit/clock.js'
import { medianOf } from '../../kit/numbers.js'
import { mostWindowsForAnswer } from '../../probes/moves/gentle.js'
import { type KeyFacts, ProbeBlocked, type Question, type Return } from '../../probes/probe.js'
import { answersWhilePlayed } from '../../readings/quota-views.js'
import type { Ask, ExchangeSender } from '../../wire/http/exchange-sender.js'
import { type Budget, bookedOn, strangers } from '../plan/budget.js'
import type { Section } from '../plan/planning.js'
import { watchCarryOver, watchRefill } from './carry-over.js'
import { dayShownIn, limitHintsOf } from './limit-hints.js'
import type { RunLog } from './run-log.js'
import type { UsageBook } from './usage-book.js'

/** What a load sent of one request, with one credential. */
interface Sent {
  readonly count: number
  readonly rows: LedgerRows
  readonly request?: string
  readonly credential: string
}

interface KeySessionSetup {
  readonly key: KeyFacts
  readonly section: Omit<Section, 'scheduled'>
  readonly head: Pick<RunHead, 'wallStartMs' | 'timeScale'>
  readonly sender: ExchangeSender
  readonly clock: Clock
  readonly startedAt: number
  readonly log: RunLog
  readonly budget: Budget
  readonly signal: AbortSignal
  /** Aborts when not even writes are awaited any more; if absent, never. */
  readonly dropped?: AbortSignal
  /** The key's share of what the run may send in a second. */
  readonly mostPerSecond?: number
  readonly book: UsageBook
  /** What the resumed run had sent on the key before it stopped. */
  readonly usedBefore?: { readonly sent: number; readonly lastSentAt: number }
}

/** How often a request is sent, with a wait after each 429, until the 429 counts as the answer. */
const mostTimesAsked = 5

/** Waits longer than this are reported as progress. */
const longWaitMs = 1_000

/** A connection that breaks later than this after a request was not already being closed when it was sent. */
const droppedWithinMs = 1_000

/** Requests this many microseconds apart belong to two groups. */
const apartUs = 500_000

/** A key that was just served again has room for a quarter of its limit. */
const shareBack = 4

/** The usual round trip is the median of the latest ones, so a single stall of the machine does not count. */
const recentTrips = 31

const spendsKey = ({ as = 'bearer' }: Question): boolean => carriesKey(as)

export const createKeySession = (setup: KeySessionSetup) => {
  const { key, section, head, sender, clock, startedAt, log, budget, book } = setup
  const { mostPerSecond = Number.POSITIVE_INFINITY } = setup
  const { contract, quota, windowMs } = section
  const reads = answersWhilePlayed(contract, atScale(quota, head.timeScale), head.wallStartMs, log.clock)
  const now = () => clock.monotonicMs() - startedAt
  let notBefore = 0
  let lastSentAt = Number.NEGATIVE_INFINITY
  let longestRoundTripMs = 0
  const roundTripsMs: number[] = []
  let sentInAll = 0
  /** What the target last said was left of the day, and how many requests had been sent by then. */
  let dayShown = { left: Number.POSITIVE_INFINITY, sentBy: 0 }
  let lastRemaining: number | undefined
  let lastResetAt: number | undefined
  let refused: Omit<Return, 'servedAt'> | undefined
  let lastReturn: Return | undefined
  const carryOver = watchCarryOver(key.quota.limit, windowMs)
  const refill = watchRefill(windowMs)
  /** Infinity before the first return. */
  let sentSinceReturn = Number.POSITIVE_INFINITY

  /** A key that was just served again has room, whatever was sent before. */
  const roomAt = () => (sentSinceReturn < key.quota.limit / shareBack ? 0 : book.roomAt(quota, key))

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
   * Whether to wait after `Remaining: 0`, given the response's status and the Remaining before it. After a 200 yes, unless
   * Remaining was 0 already and the key was served all the same: then the header is wrong. After an error only if it was 1
   * before, so for 2, 1, 0 but not for 40, 0: a gateway's error may show a zero that is not this limiter's.
   */
  const isBelieved = (status = 0): boolean =>
    status === 200 ? lastRemaining !== 0 : lastRemaining === 1 && status >= 400 && status < 429

  const spent = (
    at: number,
    count: number,
    refused: number,
    request = key.request ?? quota.requests[0],
    credential = key.credential ?? key.name,
  ) => {
    sentInAll += count
    sentSinceReturn += count
    book.used({ at, count, refused, request, credential })
  }
  if (setup.usedBefore) spent(setup.usedBefore.lastSentAt, setup.usedBefore.sent, 0)

  /** Learns from a response when the key may go on, and what is left of its day. */
  const heed = (x: Exchange) => {
    const { limit, remaining, resetAt, retryAt } = limitHintsOf(x, reads.clock(), reads.read)
    const showsDay = limit === key.quota.longer && limit !== key.quota.limit && x.credential === 'bearer'
    // Under a ban Remaining is 0 for every quota, but the day is not spent.
    const isBanned = x.response?.status === 403
    if (showsDay && remaining !== undefined && !isBanned) dayShown = { left: remaining, sentBy: sentInAll }
    if (x.response?.status === 429) {
      notBefore = Math.max(notBefore, retryAt ?? now() + windowMs)
      refused = { refusedAt: x.sentAt, ...(retryAt !== undefined && { namedAt: retryAt }) }
    } else if (x.response?.status === 200 && refused) {
      lastReturn = { ...refused, servedAt: x.sentAt }
      refused = undefined
      sentSinceReturn = 0
    }
    if (x.credential === 'bearer' && limit === key.quota.limit) lastResetAt = resetAt ?? lastResetAt
    const isSpent = x.credential === 'bearer' && remaining === 0 && isBelieved(x.response?.status)
    if (x.credential === 'bearer') lastRemaining = remaining
    if (isSpent && resetAt !== undefined)
      notBefore = Math.max(notBefore, Math.min(resetAt + secondMs, now() + windowMs))
    if (x.receivedAt === null) return
    roundTripsMs.push(x.receivedAt - x.sentAt)
    longestRoundTripMs = Math.max(longestRoundTripMs, x.receivedAt - x.sentAt)
  }

  const sendOne = async (probe: string, question: Question, signal: AbortSignal, asksAgain?: string) => {
    if (asksAgain) budget.spend('any', 'asked-again')
    // Forms that are no valid credential, or may not be accepted as one, are booked as strangers.
    else budget.spend(isValidForm(question.as ?? 'bearer') ? bookedOn(key) : strangers, probe)
    // Set before the wait, so that concurrent requests each get their own moment.
    const withinShorter = key.isSpentInGroups ? book.roomInShorter(quota, key) : 0
    const at = Math.max(now(), lastSentAt + 1000 / mostPerSecond, withinShorter)
    lastSentAt = at
    await waitUntil(at, 'room under the limit of requests per second', signal)
    signal.throwIfAborted()
    const request: Ask = {
      probe,
      step: question.step,
      intent: question.intent ?? {},
      asksAgain,
      ...(section.name !== undefined && { quota: section.name }),
      ...section.asked(key, question),
    }
    // A write in flight is awaited even then: if dropped half-way, it may still take effect later.
    const forWrites = signal === setup.signal ? setup.dropped : undefined
    const came = await sender.send(request, request.method === 'GET' ? signal : forWrites)
    // The caller gets the response as the contract reads it; the record has the response as it came.
    const x = reads.exchange(came)
    // What another credential is told is of its own quotas.
    const isOwn = question.credential === undefined || x.key === key.name
    if (spendsKey(question)) {
      if (isOwn)
        carryOver.answered(x, x.sentAt - book.lastUsedAt(quota, key), limitHintsOf(x, reads.clock(), reads.read))
      spent(x.sentAt, 1, Number(x.response?.status === 429), x.operation ?? undefined, came.key ?? undefined)
    }
    if (isOwn) heed(x)
    signal.throwIfAborted()
    return x
  }

  /** Ends the probe if the key would have to wait for longer than its quota explains, whichever request was told so. */
  const refuseLongWait = () => {
    if (notBefore - now() > mostWindowsForAnswer * windowMs + longestBlockMs(contract) / head.timeScale + waitSlackMs)
      throw new ProbeBlocked('long-wait')
  }

  /** If refused again after the named wait, waits for Reset too, but at most a window: Reset may be wrong as well. */
  const awaitReset = (x: Exchange) => {
    const { limit, resetAt } = limitHintsOf(x, reads.clock(), reads.read)
    if (limit !== key.quota.limit || resetAt === undefined) return
    notBefore = Math.max(notBefore, Math.min(resetAt + secondMs, now() + windowMs) + waitSlackMs)
  }

  const askOnce = (probe: string, question: Question) => sendOne(probe, question, setup.signal)

  /** Whether to repeat a request: the target was just closing its connection, or a gateway answered in its place. */
  const wasLost = (x: Exchange) =>
    isAnswered(x)
      ? isGatewayAnswer(x)
      : x.error !== null && x.error.phase === 'head' && x.endedAt - x.sentAt < droppedWithinMs

  const ask = async (probe: string, question: Question, signal = setup.signal) => {
    let asksAgain: string | undefined
    for (let times = 1; ; times += 1) {
      if (spendsKey(question)) await waitUntil(roomAt(), 'room within the limit', signal)
      refuseLongWait()
      await waitUntil(notBefore, 'the quota to be available again', signal)
      const x = await sendOne(probe, question, signal, asksAgain)
      const isRefused = x.response?.status === 429
      if (!isRefused && !(wasLost(x) && times === 1)) return x
      if (times === mostTimesAsked || !budget.mayAskAgain()) return x
      if (isRefused) refuseLongWait()
      if (isRefused && times > 1) awaitReset(x)
      asksAgain = x.id
    }
  }

  /** Books what a load sent of one request. Groups are at least a window of a shorter quota apart: each counts from its own moment. */
  const loadedWith = ({ count, rows, request, credential }: Sent) => {
    const refused = (from: number, to: number) =>
      rows.status.subarray(from, to).reduce((sum, each) => sum + Number(each === 429), 0)
    let counted = 0
    for (let to = 1; key.isSpentInGroups && to < rows.length; to += 1) {
      if (rows.sentUs[to] - rows.sentUs[to - 1] < apartUs) continue
      spent(rows.sentUs[to - 1] / 1000, to - counted, refused(counted, to), request, credential)
      counted = to
    }
    const lastSentAt = rows.length > 0 ? rows.sentUs[rows.length - 1] / 1000 : now()
    spent(lastSentAt, count - counted, refused(counted, rows.length), request, credential)
  }

  return {
    key,
    section,
    reads,
    now,
    longestRoundTripMs: () => longestRoundTripMs,
    usualRoundTripMs: () =>
      roundTripsMs.length === 0 ? 0 : medianOf(roundTripsMs.slice(-recentTrips).sort((a, b) => a - b)),
    windowEndAfter: (at: number): number | undefined =>
      lastResetAt === undefined
        ? undefined
        : lastResetAt + windowMs * Math.max(0, Math.ceil((at - lastResetAt) / windowMs)),
    /** When a request is within the limit and after the wait that the last refusal asked for. */
    freeAt: () => Math.max(notBefore, roomAt()),
    /** The two requests between which the key was last served again. */
    lastReturn: () => lastReturn,
    carriesOver: carryOver.isSeen,
    comesBackInBits: refill.isSeen,
    /** Requests left of the key's day, by what this run has sent and what the target's headers show. */
    dayLeft: () => Math.max(0, Math.min(key.quota.longer, dayShown.left + dayShown.sentBy) - sentInAll),
    plannedLeft: (probe: string) => budget.left(bookedOn(key), probe),
    waitUntil,
    ask,
    askOnce,
    /** Books a load on the key: what it showed to be left of the day, and what it sent of each request. */
    loaded(probe: string, all: LedgerRows, ofEach: readonly Sent[]) {
      const leftOfDay = dayShownIn(all, key.quota)
      carryOver.loaded(all)
      refill.loaded(all)
      for (const sent of ofEach) {
        budget.spend(bookedOn(key), probe, sent.count)
        loadedWith(sent)
      }
      if (leftOfDay !== undefined) dayShown = { left: leftOfDay, sentBy: sentInAll }
    },
  }
}

/** Single requests on one key. `ask` keeps within the limit and heeds the last 429; `askOnce` does neither. */
export type KeySession = ReturnType<typeof createKeySession>
