import { type EarlyArrival, waitsKept } from '../../backoff/named-waits/early-arrivals.js'
import { type KeptWait, tellingMs, toldBy } from '../../backoff/named-waits/kept-waits.js'
import { inWords } from '../../backoff/named-waits/named-wait.js'
import type { Refusal, Story } from '../../backoff/story.js'
import { type ClientFinding, clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, type ClientEvidence, nothingToJudge } from './client-check.js'

const asksForSeconds = ({ named, arrival }: Refusal): boolean => named.kind === 'seconds' && arrival.status === 429

/** An early arrival, and the play it came in. */
export type EarlyOfStory = EarlyArrival & { readonly story: Story }

/** What came early after a 429 that named whole seconds, up to a day. */
export const earlyOnSeconds = ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
  stories.flatMap((story) => waitsKept(story, asksForSeconds, noise).early.map((each) => ({ ...each, story })))

/** An arrival of which nobody can say whether its client knew: no breach, and no proof that there was none. */
export const earlyOrUnderWay = ({ story, refusal, arrival, waitedMs }: EarlyOfStory): ClientFinding =>
  clientFinding(
    'inconclusive',
    'early-or-under-way',
    { case: story.play.case, named: inWords(refusal.named), waitedMs },
    refusal.arrival,
    arrival,
  )

const comesEarly = (worst: EarlyOfStory, early: readonly EarlyOfStory[]): ClientFinding => {
  const { story, refusal, arrival, namedMs, waitedMs } = worst
  const parallel = story.workers > 1 && arrival.connection !== refusal.arrival.connection
  const facts = { case: story.play.case, named: inWords(refusal.named), namedMs, waitedMs, parallel }
  return clientFinding('fail', 'comes-early', facts, refusal.arrival, ...early.map((each) => each.arrival))
}

/** None came early: a pass where that could have shown. Who was never seen to come back and has ended has not come early. */
const keptAsFarAsSeen = (kept: readonly KeptWait[], asked: readonly Refusal[], hasEnded: boolean): ClientFinding => {
  const { isProven, ...told } = toldBy(kept)
  if (isProven)
    return clientFinding('pass', 'waits-kept', { ...told, tellingMs }, ...kept.map(({ arrival }) => arrival))
  if (kept.length === 0 && hasEnded) return clientFinding('pass', 'gives-up', { examined: asked.length })
  const concealedMs = Math.max(0, ...kept.map((each) => each.concealedMs))
  return clientFinding('inconclusive', 'kept-or-held-up', { ...told, tellingMs, concealedMs })
}

/** After a 429 nothing comes on that key until the seconds of `Retry-After` are over, whichever worker was refused. */
export const waitsAsTold: ClientCheck = {
  id: 'client.waits-as-told',
  promise: 'after a 429 nothing comes on that key before the seconds of Retry-After are over',
  clause: 'CLIENT-1',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const { stories, noise } = evidence
    const asked = stories.flatMap(({ refusals }) => refusals.filter(asksForSeconds))
    if (asked.length === 0)
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names seconds' })
    const all = earlyOnSeconds(evidence)
    const early = all.filter(({ certain }) => certain)
    const [worst] = early.toSorted((a, b) => a.waitedMs / a.namedMs - b.waitedMs / b.namedMs)
    if (worst) return comesEarly(worst, early)
    if (all.length > 0) return earlyOrUnderWay(all[0])
    const kept = stories.flatMap((story) => waitsKept(story, asksForSeconds, noise).kept)
    const hasEnded = stories.some(({ play, refusals }) => play.end === 'exit' && refusals.some(asksForSeconds))
    return keptAsFarAsSeen(kept, asked, hasEnded)
  },
}
