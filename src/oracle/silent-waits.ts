import { onceFor } from '../kit/once-for.js'
import type { KeyRecord } from '../readings/key-record.js'

/** A refusal that names a wait, and the request that ended the silence after it. */
export interface SilentWait {
  readonly refusal: number
  readonly retry: number
  /**
   * Whether other requests were in transit alongside the refusal and were not refused: decided later, they may have taken
   * what it promised.
   */
  readonly hadCompany: boolean
}

/**
 * The refusals after which the key stayed silent for as long as they asked, each with the request that ended the silence. A
 * refusal that was answered while others were still being sent proves nothing. Of several in transit at once nobody knows
 * which was decided last: the key must be silent for as long as each of them asked.
 */
function* waitsIn({ size, sentMs, receivedMs, waitMs, status }: KeyRecord): Generator<SilentWait> {
  let lastSent = Number.NEGATIVE_INFINITY
  let servedUntil = Number.NEGATIVE_INFINITY
  let heard: (Omit<SilentWait, 'retry'> & { readonly dueMs: number })[] = []
  for (let i = 0; i < size; i += 1) {
    // Everything answered after the last request was sent has been followed by silence until now.
    heard = heard.filter(({ refusal }) => receivedMs[refusal] >= lastSent)
    // Of several in transit at once, another one may have taken what was there.
    const isAlone = !(sentMs[i + 1] < receivedMs[i])
    for (const { dueMs, ...each } of isAlone ? heard : []) if (sentMs[i] >= dueMs) yield { ...each, retry: i }
    lastSent = sentMs[i]
    const isBeside = ({ refusal }: (typeof heard)[number]) => receivedMs[refusal] > lastSent
    const namedMs = receivedMs[i] + waitMs[i]
    if (status[i] === 429 && !Number.isNaN(namedMs)) {
      const dueMs = heard.filter(isBeside).reduce((latest, each) => Math.max(latest, each.dueMs), namedMs)
      heard = heard.map((each) => (isBeside(each) ? { ...each, dueMs: Math.max(each.dueMs, namedMs) } : each))
      heard.push({ refusal: i, dueMs, hadCompany: servedUntil > lastSent })
    } else {
      heard = heard.map((each) => (isBeside(each) ? { ...each, hadCompany: true } : each))
      servedUntil = Math.max(servedUntil, Number.isNaN(receivedMs[i]) ? Number.POSITIVE_INFINITY : receivedMs[i])
    }
  }
}

/** Those of a key, which several checks and each defect of what is named ask for. */
export const silentWaits = onceFor((record: KeyRecord): readonly SilentWait[] => [...waitsIn(record)])
