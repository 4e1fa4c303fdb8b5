import type { QuotaView } from '../evidence/evidence.js'
import { type History, outcomes } from './history.js'

/** The requests of a key: refused ones began or kept a block, excused ones may have been refused by another quota. */
type BlockedRequests = Pick<History, 'size' | 'sentMs' | 'receivedMs' | 'outcome' | 'priorUntilMs'>

/** How long a block should last, at most and at least, and for how long at most a request counts in the quota. */
interface BlockPromise {
  readonly lastsMs: number
  readonly leastMs: number
  readonly weighsMs: number
}

/** How a block differs from what was agreed, with its refusal and the request that shows it. */
interface BlockBreach {
  readonly kind: 'ended-early' | 'lasted-longer'
  readonly refusal: number
  readonly next: number
}

interface SeenBlocks {
  readonly breach: BlockBreach | undefined
  /**
   * Refusals in the second half of a block. If the quota itself refuses for less than a block lasts, only those after it had
   * room again; if it may refuse as long, any of them, since no clearer ones exist.
   */
  readonly kept: readonly number[]
  /** Admissions after a block, within one and a half times its length. */
  readonly ended: readonly number[]
}

/** What is known of a block: its first refusal began it, or one that was in transit at the same time. */
interface SeenBlock {
  readonly first: number
  /** The earliest and the latest moment at which it can have begun. */
  readonly fromMs: number
  readonly byMs: number
  /** When all of its refusals so far were answered. */
  heardMs: number
  /** When an admission sent after all those refusals was answered: later refusals belong to another block. */
  overMs: number
}

/** Finds the latest request that was certainly admitted before this one was sent: no block was in force then. */
const lastAdmitted = ({ sentMs, receivedMs, outcome }: BlockedRequests, i: number): number => {
  for (let j = i - 1; j >= 0; j -= 1) if (outcome[j] === outcomes.admitted && receivedMs[j] <= sentMs[i]) return j
  return -1
}

/** Whether a request sent later, while this one was in transit, may have spent the quota before it. */
const wasOvertaken = ({ size, sentMs, receivedMs, outcome }: BlockedRequests, i: number): boolean => {
  for (let j = i + 1; j < size && sentMs[j] < receivedMs[i]; j += 1) if (outcome[j] !== outcomes.refused) return true
  return false
}

/** The block that a refusal shows when none was known to be in force. */
const opening = (requests: BlockedRequests, i: number, unsureFromMs: number, hasOthers: boolean): SeenBlock => {
  const { sentMs, receivedMs } = requests
  const admitted = lastAdmitted(requests, i)
  // Use before the run, or a request without a known answer, may have begun a block that nobody saw.
  const sinceMs = admitted < 0 ? Number.NEGATIVE_INFINITY : sentMs[admitted]
  const fromMs = admitted < 0 || hasOthers ? sinceMs : Math.max(sinceMs, Math.min(sentMs[i], unsureFromMs))
  return { first: i, fromMs, byMs: receivedMs[i], heardMs: receivedMs[i], overMs: Number.POSITIVE_INFINITY }
}

/**
 * Compares the blocks of a key with the time that they should last, if further refusals do not extend them. A breach is only
 * what no choice of moments reconciles: a request admitted within the time, counted from the earliest moment at which the
 * block can have begun; or one refused after it, counted from the latest, with nothing spent since that the quota could
 * refuse for.
 */
export const seenBlocks = (requests: BlockedRequests, { lastsMs, leastMs, weighsMs }: BlockPromise): SeenBlocks => {
  const { size, sentMs, receivedMs, outcome, priorUntilMs } = requests
  const hasOthers = outcome.some((each) => each !== outcomes.admitted && each !== outcomes.refused)
  const breaches: BlockBreach[] = []
  const kept: number[] = []
  const ended: number[] = []
  let block: SeenBlock | undefined
  let unsureFromMs = Number.POSITIVE_INFINITY
  let spentUntilMs = priorUntilMs
  const admit = (i: number) => {
    if (!block || sentMs[i] < block.heardMs) return
    if (receivedMs[i] < block.fromMs + leastMs) breaches.push({ kind: 'ended-early', refusal: block.first, next: i })
    else if (receivedMs[i] <= block.fromMs + 1.5 * lastsMs) ended.push(i)
    // A request refused meanwhile came before this one, so it began no block that is still to be seen.
    block.overMs = unsureFromMs < Number.POSITIVE_INFINITY ? receivedMs[i] : Math.min(block.overMs, receivedMs[i])
    unsureFromMs = Number.POSITIVE_INFINITY
  }
  const refuse = (i: number) => {
    if (!block || sentMs[i] >= block.overMs) {
      block = opening(requests, i, unsureFromMs, hasOthers)
      unsureFromMs = Number.POSITIVE_INFINITY
      return
    }
    if (block.overMs < Number.POSITIVE_INFINITY) unsureFromMs = Math.min(unsureFromMs, sentMs[i])
    block.heardMs = Math.max(block.heardMs, receivedMs[i])
    const isQuotas = sentMs[i] < spentUntilMs + weighsMs || wasOvertaken(requests, i)
    const isBlocks = weighsMs < leastMs ? !isQuotas : receivedMs[i] < block.fromMs + leastMs
    if (!isQuotas && sentMs[i] > block.byMs + lastsMs)
      breaches.push({ kind: 'lasted-longer', refusal: block.first, next: i })
    else if (isBlocks && sentMs[i] >= block.byMs + leastMs / 2) kept.push(i)
  }
  for (let i = 0; i < size; i += 1) {
    if (outcome[i] === outcomes.refused) refuse(i)
    else spentUntilMs = Math.max(spentUntilMs, receivedMs[i])
    if (outcome[i] === outcomes.admitted) admit(i)
  }
  return { breach: breaches[0], kept, ended }
}

/** The requests with a key in order of sending, in milliseconds; `ordinary` is 1 for a request that the quota counts. */
interface Requests {
  readonly size: number
  readonly status: Uint16Array
  readonly ordinary: Uint8Array
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
}

/** A block that may be in force, or several in succession. */
interface Block {
  /** The earliest moment at which the last of them can have begun. */
  readonly fromMs: number
  /** The moment by which each of them has begun. */
  readonly begunMs: number
  /** The moment until which one of them may last. */
  readonly untilMs: number
  /** Whether it certainly began with its refusal; otherwise that may belong to an earlier block. */
  readonly isSure: boolean
}

const isRefused = ({ status }: Requests, i: number): boolean => status[i] === 429
const isAdmitted = ({ status, ordinary }: Requests, i: number): boolean =>
  ordinary[i] === 1 && status[i] >= 200 && status[i] < 300

/** Whether a request that may have been admitted was sent while a refusal was in transit, after a block had begun. */
const mayFollowAdmission = (requests: Requests, i: number, begunMs: number): boolean => {
  const { size, ordinary, sentMs, receivedMs } = requests
  for (let j = i + 1; j < size && sentMs[j] < receivedMs[i]; j += 1)
    if (ordinary[j] === 1 && sentMs[j] >= begunMs && !isRefused(requests, j)) return true
  return false
}

/**
 * Marks with 1 the refusals that a block, rather than the quota, may have made. A block of 10 s begun by a refusal at 3 s
 * refuses until 13 s, whatever the quota has left by then. Of several in transit at once, the first sent is taken to have
 * begun it: all may have been decided at the same moment.
 *
 * A block is over once a request was admitted that was sent after its refusal was answered; the next refusal is the quota's
 * own, and begins another block. If that is uncertain, a refusal may be either: it is not counted as the quota's, and
 * whatever follows within a block's time may be either again. In the example that applies from 12.9 to 13.1 s.
 */
export const blockedRefusals = (
  { blockedForMs: forMs, blockedAtLeastMs: leastMs }: Pick<QuotaView, 'blockedForMs' | 'blockedAtLeastMs'>,
  requests: Requests,
): Uint8Array => {
  const { size, ordinary, sentMs, receivedMs } = requests
  const blocked = new Uint8Array(size)
  let block: Block | undefined
  /** When the block was certainly over, and whether it may have been over. */
  let overMs = Number.POSITIVE_INFINITY
  let mayBeOver = false
  const begin = (i: number, since?: Block) => {
    const untilMs = Math.max(receivedMs[i] + forMs, since?.untilMs ?? 0)
    block = { fromMs: sentMs[i], begunMs: Math.max(receivedMs[i], since?.begunMs ?? 0), untilMs, isSure: !since }
    overMs = Number.POSITIVE_INFINITY
    mayBeOver = false
  }
  for (let i = 0; i < size && forMs > 0; i += 1) {
    if (!isRefused(requests, i)) {
      if (!block || ordinary[i] === 0 || sentMs[i] < block.begunMs) continue
      mayBeOver = true
      if (isAdmitted(requests, i)) overMs = Math.min(overMs, receivedMs[i])
    } else if (!block || sentMs[i] > block.untilMs || sentMs[i] >= overMs) {
      begin(i)
    } else {
      blocked[i] = 1
      const mayHaveLapsed = receivedMs[i] >= block.fromMs + leastMs
      if (!block.isSure || mayBeOver || mayHaveLapsed || mayFollowAdmission(requests, i, block.begunMs)) begin(i, block)
    }
  }
  return blocked
}
