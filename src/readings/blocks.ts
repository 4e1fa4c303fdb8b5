import type { QuotaView } from '../evidence/evidence.js'
import { type History, outcomes } from './history.js'

/** The requests of a key: refused is what began or kept a block, excused what another quota may have refused. */
type BlockedRequests = Pick<History, 'size' | 'sentMs' | 'receivedMs' | 'outcome' | 'priorUntilMs'>

/** How long a block should last at most and at least, and for how long a request weighs in the quota at most. */
interface BlockPromise {
  readonly lastsMs: number
  readonly leastMs: number
  readonly weighsMs: number
}

/** How a block departs from what was agreed: by its refusal and the request that shows it. */
interface BlockBreach {
  readonly kind: 'ended-early' | 'lasted-longer'
  readonly refusal: number
  readonly next: number
}

interface SeenBlocks {
  readonly breach: BlockBreach | undefined
  /**
   * Refusals in the second half of a block. Where the quota itself may refuse for less than a block lasts, those by
   * which it had room again; where it may refuse as long, no others can be had, and none would tell more.
   */
  readonly kept: readonly number[]
  /** Admissions after a block, before it would have lasted half as long again. */
  readonly ended: readonly number[]
}

/** A block as far as it is known: its first refusal began it, or one that was under way with it. */
interface SeenBlock {
  readonly first: number
  /** The earliest moment at which it can have begun, and the latest. */
  readonly fromMs: number
  readonly byMs: number
  /** When all of its refusals so far were answered. */
  heardMs: number
  /** When an admission was answered that was sent after all that: what is refused from then on is another block's. */
  overMs: number
}

/** Finds for a request the latest one that was certainly admitted before it: no block was in force then. */
const lastAdmitted = ({ sentMs, receivedMs, outcome }: BlockedRequests, i: number): number => {
  for (let j = i - 1; j >= 0; j -= 1) if (outcome[j] === outcomes.admitted && receivedMs[j] <= sentMs[i]) return j
  return -1
}

/** Whether something was under way with a request, though sent after it, that may have spent the quota before it. */
const wasOvertaken = ({ size, sentMs, receivedMs, outcome }: BlockedRequests, i: number): boolean => {
  for (let j = i + 1; j < size && sentMs[j] < receivedMs[i]; j += 1) if (outcome[j] !== outcomes.refused) return true
  return false
}

/** The block that a refusal shows where none was known to be in force. */
const opening = (requests: BlockedRequests, i: number, unsureFromMs: number, hasOthers: boolean): SeenBlock => {
  const { sentMs, receivedMs } = requests
  const admitted = lastAdmitted(requests, i)
  // What was used before the run may have begun a block that is not seen; so may a request whose answer is not known.
  const sinceMs = admitted < 0 ? Number.NEGATIVE_INFINITY : sentMs[admitted]
  const fromMs = admitted < 0 || hasOthers ? sinceMs : Math.max(sinceMs, Math.min(sentMs[i], unsureFromMs))
  return { first: i, fromMs, byMs: receivedMs[i], heardMs: receivedMs[i], overMs: Number.POSITIVE_INFINITY }
}

/**
 * Holds the blocks of a key against the time that they should last, where no further refusal lengthens them. Only what no
 * choice of moments reconciles is a breach: a request that was admitted within the time, counted from the earliest
 * moment at which the block can have begun; or one that was refused after it, counted from the latest, with nothing
 * spent since that the quota could refuse for.
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
    // One that was refused meanwhile came before this one, and began no block that is still to be seen.
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

/** The requests with a key in order of sending, in milliseconds; `ordinary` is 1 for one that counts in the quota. */
interface Requests {
  readonly size: number
  readonly status: Uint16Array
  readonly ordinary: Uint8Array
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
}

/** A block that may be in force, or several that follow each other. */
interface Block {
  /** The earliest moment at which the last of them can have begun. */
  readonly fromMs: number
  /** By when each of them has begun. */
  readonly begunMs: number
  /** Until when one of them may last. */
  readonly untilMs: number
  /** Whether it certainly began with its refusal, which may be that of an earlier block where not. */
  readonly isSure: boolean
}

const isRefused = ({ status }: Requests, i: number): boolean => status[i] === 429
const isAdmitted = ({ status, ordinary }: Requests, i: number): boolean =>
  ordinary[i] === 1 && status[i] >= 200 && status[i] < 300

/** Whether a request that may have been admitted was sent while a refusal was under way, and after a block had begun. */
const mayFollowAdmission = (requests: Requests, i: number, begunMs: number): boolean => {
  const { size, ordinary, sentMs, receivedMs } = requests
  for (let j = i + 1; j < size && sentMs[j] < receivedMs[i]; j += 1)
    if (ordinary[j] === 1 && sentMs[j] >= begunMs && !isRefused(requests, j)) return true
  return false
}

/**
 * The refusals that may be those of a block, which are no quota's: 1 for each. A block of 10 s that a refusal at 3 s
 * begins has refused until 13 s, whatever the quota had left by then. Of several that were under way at once the first to
 * be sent stands for the one that began it: both may have been decided at the same moment.
 *
 * A block is over where a request was admitted that was sent after its refusal was answered; the next refusal is the
 * quota's own then, and begins another. Where that is not certain, a refusal may be either: it is no quota's, and what
 * comes within a block's time after it may be either again. So it is at 12.9 to 13.1 s of the example.
 */
export const blockedRefusals = (
  { blockedForMs: forMs, blockedAtLeastMs: leastMs }: Pick<QuotaView, 'blockedForMs' | 'blockedAtLeastMs'>,
  requests: Requests,
): Uint8Array => {
  const { size, ordinary, sentMs, receivedMs } = requests
  const blocked = new Uint8Array(size)
  let block: Block | undefined
  /** When the block was certainly over; whether it may have been. */
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
