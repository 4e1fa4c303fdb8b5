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
  let servedUntil = Number.NEGATIVE_INFINITY
  let heard: { readonly refusal: number; dueMs: number; hadCompany: boolean }[] = []
  for (let i = 0; i < size; i += 1) {
    // Of several in transit at once, another one may have taken what was there.
    const isAlone = !(sentMs[i + 1] < receivedMs[i])
    for (const { dueMs, ...each } of isAlone ? heard : []) if (sentMs[i] >= dueMs) yield { ...each, retry: i }
    // Only what is answered after this was sent can be followed by silence until the next.
    heard = heard.filter(({ refusal }) => receivedMs[refusal] >= sentMs[i])
    const namedMs = receivedMs[i] + waitMs[i]
    const isNamed = status[i] === 429 && !Number.isNaN(namedMs)
    let latestMs = namedMs
    for (const each of heard) {
      if (receivedMs[each.refusal] === sentMs[i]) continue
      latestMs = Math.max(latestMs, each.dueMs)
      if (isNamed) each.dueMs = Math.max(each.dueMs, namedMs)
      else each.hadCompany = true
    }
    if (isNamed) heard.push({ refusal: i, dueMs: latestMs, hadCompany: servedUntil > sentMs[i] })
    else servedUntil = Math.max(servedUntil, Number.isNaN(receivedMs[i]) ? Number.POSITIVE_INFINITY : receivedMs[i])
  }
}

/** Those of a key, which several checks and each defect of what is named ask for. */
export const silentWaits = onceFor((record: KeyRecord): readonly SilentWait[] => [...waitsIn(record)])
