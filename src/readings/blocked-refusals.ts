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
export const blockedRefusals = (forMs: number, requests: Requests): Uint8Array => {
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
      const mayHaveLapsed = receivedMs[i] >= block.fromMs + forMs
      if (!block.isSure || mayBeOver || mayHaveLapsed || mayFollowAdmission(requests, i, block.begunMs)) begin(i, block)
    }
  }
  return blocked
}
