import type { KeyRecord } from '../readings/key-record.js'

/** A refusal that names a wait, and the request that ended the silence after it. */
export interface SilentWait {
  readonly refusal: number
  readonly retry: number
  /** Whether others, sent before it or after, were under way beside the refusal: decided later, they may have taken what it promised. */
  readonly hadCompany: boolean
}

/**
 * The refusals after which the key stayed silent for as long as they asked, each with the request that ended the
 * silence. A refusal that was answered while others were still to be sent proves nothing.
 */
export function* silentWaits(record: KeyRecord): Generator<SilentWait> {
  let lastSent = Number.NEGATIVE_INFINITY
  let lastHeard = Number.NEGATIVE_INFINITY
  let heard: Omit<SilentWait, 'retry'>[] = []
  for (let i = 0; i < record.size; i += 1) {
    // Everything that was answered after the last request went out has been followed by silence until now.
    heard = heard.filter(({ refusal }) => record.receivedMs[refusal] >= lastSent)
    // Of several that are under way at once another one may have had what was there.
    const isAlone = !(record.sentMs[i + 1] < record.receivedMs[i])
    for (const each of isAlone ? heard : []) {
      const dueMs = record.receivedMs[each.refusal] + record.waitMs[each.refusal]
      if (record.sentMs[i] >= dueMs) yield { ...each, retry: i }
    }
    lastSent = record.sentMs[i]
    heard = heard.map((each) => (record.receivedMs[each.refusal] > lastSent ? { ...each, hadCompany: true } : each))
    const hadCompany = lastHeard > record.sentMs[i]
    const heardAt = record.receivedMs[i]
    lastHeard = Math.max(lastHeard, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
    if (record.status[i] === 429 && !Number.isNaN(record.waitMs[i])) heard.push({ refusal: i, hadCompany })
  }
}
