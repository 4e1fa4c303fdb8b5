import { type History, outcomes } from './history.js'

/** The requests of a key: refused is what began or kept a block, excused what another quota may have refused. */
type BlockedRequests = Pick<History, 'size' | 'sentMs' | 'receivedMs' | 'outcome' | 'priorUntilMs'>

/** How long a block should last, and for how long a request weighs in the quota at most. */
export interface BlockPromise {
  readonly lastsMs: number
  readonly weighsMs: number
}

/** How a block departs from what was agreed: by its refusal and the request that shows it. */
export interface BlockBreach {
  readonly kind: 'ended-early' | 'lasted-longer'
  readonly refusal: number
  readonly next: number
}

/** Blocks as they were seen. */
export interface SeenBlocks {
  readonly breach: BlockBreach | undefined
  /** Refusals in the second half of a block, where the quota itself had room again. */
  readonly kept: readonly number[]
  /** Admissions after a block, before it would have lasted half as long again. */
  readonly ended: readonly number[]
}

/** A block as far as it is known: its first refusal began it, or one that was under way with it. */
interface Block {
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
const opening = (requests: BlockedRequests, i: number, unsureFromMs: number, hasOthers: boolean): Block => {
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
export const seenBlocks = (requests: BlockedRequests, { lastsMs, weighsMs }: BlockPromise): SeenBlocks => {
  const { size, sentMs, receivedMs, outcome, priorUntilMs } = requests
  const hasOthers = outcome.some((each) => each !== outcomes.admitted && each !== outcomes.refused)
  const breaches: BlockBreach[] = []
  const kept: number[] = []
  const ended: number[] = []
  let block: Block | undefined
  let unsureFromMs = Number.POSITIVE_INFINITY
  let spentUntilMs = priorUntilMs
  const admit = (i: number) => {
    if (!block || sentMs[i] < block.heardMs) return
    if (receivedMs[i] < block.fromMs + lastsMs) breaches.push({ kind: 'ended-early', refusal: block.first, next: i })
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
    if (sentMs[i] < spentUntilMs + weighsMs || wasOvertaken(requests, i)) return
    if (sentMs[i] > block.byMs + lastsMs) breaches.push({ kind: 'lasted-longer', refusal: block.first, next: i })
    else if (sentMs[i] >= block.byMs + lastsMs / 2) kept.push(i)
  }
  for (let i = 0; i < size; i += 1) {
    if (outcome[i] === outcomes.refused) refuse(i)
    else spentUntilMs = Math.max(spentUntilMs, receivedMs[i])
    if (outcome[i] === outcomes.admitted) admit(i)
  }
  return { breach: breaches[0], kept, ended }
}
