import { type ClientFinding, clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, type ClientEvidence, nothingToJudge } from './client-check.js'
import { type EarlyArrival, earlyArrivals } from './early-arrivals.js'
import { inWords } from './named-wait.js'
import type { Refusal, Story } from './story.js'

const asksForSeconds = ({ named, arrival }: Refusal): boolean => named.kind === 'seconds' && arrival.status === 429

/** An early arrival, and the play it came in. */
export type EarlyOfStory = EarlyArrival & { readonly story: Story }

/** What came early after a 429 that named whole seconds, up to a day. */
export const earlyOnSeconds = ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
  stories.flatMap((story) => earlyArrivals(story, asksForSeconds, noise).map((each) => ({ ...each, story })))

/** An arrival of which nobody can say whether its client knew: no breach, and no proof that there was none. */
export const earlyOrUnderWay = ({ story, refusal, arrival, waitedMs }: EarlyOfStory): ClientFinding =>
  clientFinding(
    'inconclusive',
    'early-or-under-way',
    { case: story.play.case, named: inWords(refusal.named), waitedMs },
    refusal.arrival,
    arrival,
  )

/** After a 429 nothing comes on that key until the seconds of `Retry-After` are over, whichever worker was refused. */
export const waitsAsTold: ClientCheck = {
  id: 'client.waits-as-told',
  promise: 'after a 429 nothing comes on that key before the seconds of Retry-After are over',
  clause: 'CLIENT-1',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const examined = evidence.stories.flatMap(({ refusals }) => refusals.filter(asksForSeconds)).length
    if (examined === 0) return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names seconds' })
    const all = earlyOnSeconds(evidence)
    const early = all.filter(({ certain }) => certain)
    const [worst] = early.toSorted((a, b) => a.waitedMs / a.namedMs - b.waitedMs / b.namedMs)
    if (!worst) return all.length > 0 ? earlyOrUnderWay(all[0]) : clientFinding('pass', 'held', { examined })
    const { story, refusal, arrival, namedMs, waitedMs } = worst
    const parallel = story.workers > 1 && arrival.connection !== refusal.arrival.connection
    const facts = { case: story.play.case, named: inWords(refusal.named), namedMs, waitedMs, parallel }
    return clientFinding('fail', 'comes-early', facts, refusal.arrival, ...early.map((each) => each.arrival))
  },
}
