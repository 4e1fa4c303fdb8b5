import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../evidence/exchange.js'
import { isListing, isUpdated } from './listed-pets.js'

/** Simultaneous PATCHes of different pets, between two readings of the list. */
export interface WrittenAtOnce {
  readonly before: Answered
  readonly patches: readonly Exchange[]
  readonly after: Answered
}

/** Each time that pets were changed simultaneously, in order. */
export const writtenAtOnce = (evidence: Evidence): readonly WrittenAtOnce[] => {
  const row = exchangesOf(evidence, 'read-write-read').toSorted((a, b) => a.sentAt - b.sentAt)
  const times: WrittenAtOnce[] = []
  let before: Answered | undefined
  let patches: Exchange[] = []
  for (const x of row) {
    if (x.step === 'at-once') patches.push(x)
    if (!isListing(x)) continue
    if (before && patches.length > 1) times.push({ before, patches, after: x })
    before = x
    patches = []
  }
  return times
}

/** Whether all of them were accepted: of any other, nobody knows when it takes effect, or whether it counts. */
export const areAllAccepted = ({ patches }: WrittenAtOnce): boolean =>
  patches.every((x) => isAnswered(x) && isUpdated(x))
