import { fail, inconclusive, observed, pass } from '../../checks/framework/finding.js'
import { isOtherOperation, type KeptWait, waitsKept } from '../waits/early-arrivals.js'
import {
  asksForSeconds,
  type EarlyOfStory,
  earlyOn,
  earlyOnSeconds,
  isOtherRequest,
  type WatchedWaits,
  watchedWaits,
} from '../waits/seconds-and-dates.js'
import { type ClientEvidence, inWords, type Refusal } from '../waits/story.js'
import { caseNotPlayed, defineBackoffCheck, earlyOrUnderWay, pauseTheKey } from './client-check.js'
import { allOf, durationOf, watchedBriefly } from './in-words.js'

/** Coming early by this much on purpose has to be visible. */
const tellingMs = 20

/** From this share of a wait on, it is nearly over. */
const nearlyOver = 0.9

/** How many waits have to be able to show it; if there are few, half of them. */
const fewestTelling = 3

/** Counts the waits that would show coming 20 ms early; `isProven`: there are enough of them. */
const toldBy = (kept: readonly KeptWait[]) => {
  const telling = kept.filter((each) => each.concealedMs <= tellingMs).length
  const needed = Math.max(1, Math.min(fewestTelling, Math.ceil(kept.length / 2)))
  return { examined: kept.length, telling, needed, isProven: telling >= needed }
}

const comesEarly = (evidence: ClientEvidence, worst: EarlyOfStory, early: readonly EarlyOfStory[]) => {
  const { story, refusal, namedMs, waitedMs } = worst
  const parallel = isOtherRequest(evidence, worst)
  const facts = { case: story.play.case, named: inWords(refusal.named), namedMs, waitedMs, parallel }
  return fail('comes-early', facts, refusal.arrival, ...early.map((each) => each.arrival))
}

/** None came early: a pass if that would have shown. A client that ended without coming back did not come early. */
const keptAsFarAsSeen = (
  kept: readonly KeptWait[],
  asked: readonly Refusal[],
  hasEnded: boolean,
  watched: WatchedWaits,
) => {
  const { isProven, ...told } = toldBy(kept)
  if (isProven) {
    const facts = { ...told, tellingMs, watched: watchedBriefly(watched) }
    return pass('waits-kept', facts, ...kept.map(({ arrival }) => arrival))
  }
  if (kept.length === 0 && hasEnded) return pass('gives-up', { examined: asked.length })
  const concealedMs = Math.max(0, ...kept.map((each) => each.concealedMs))
  return inconclusive('kept-or-held-up', { ...told, tellingMs, concealedMs })
}

/** Rounded, a wait that is nearly over reads like the whole wait: then how early it came is said instead. */
const earlyInWords = ({ waitedMs, namedMs }: { readonly waitedMs: number; readonly namedMs: number }): string =>
  waitedMs > namedMs * nearlyOver
    ? `${durationOf(namedMs - waitedMs)} too early, after`
    : `${durationOf(waitedMs)} after`

const waitAll =
  'Send nothing on the key, from any worker, until all the seconds of Retry-After are over, without a cap. If that is too long for you, give up: that costs nothing, however many seconds it is.'

export const waitsAsTold = defineBackoffCheck({
  id: 'client.waits-as-told',
  promise: 'after a 429 it sends nothing with that key until the seconds of Retry-After are over',
  clauses: ['CLIENT-1'],
  judge(evidence) {
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asksForSeconds))) return caseNotPlayed('a 429 that names seconds')
    const all = earlyOnSeconds(evidence)
    const early = all.filter(({ certain }) => certain)
    const [worst] = early.toSorted((a, b) => a.waitedMs / a.namedMs - b.waitedMs / b.namedMs)
    if (worst) return comesEarly(evidence, worst, early)
    if (all.length > 0) return earlyOrUnderWay(all[0])
    const played = stories.filter((story) => !isOtherOperation(story))
    const asked = played.flatMap(({ refusals }) => refusals.filter(asksForSeconds))
    if (asked.length === 0) return caseNotPlayed('a 429 that names seconds with the operation that was asked for')
    const kept = played.flatMap((story) => waitsKept(story, asksForSeconds, noise).kept)
    const hasEnded = played.some(({ play, refusals }) => play.end === 'exit' && refusals.some(asksForSeconds))
    return keptAsFarAsSeen(kept, asked, hasEnded, watchedWaits(evidence.audit, played))
  },
  sentences: {
    'waits-kept': (f) =>
      `it kept ${allOf(f.examined, 'wait')}; ${f.examined === f.telling ? '' : `in ${f.telling} of them `}coming ${durationOf(f.tellingMs)} early would have shown${f.watched === null ? '' : `; ${f.watched}`}`,
    'kept-or-held-up': (f) =>
      f.examined === 0
        ? 'no wait was seen to its end'
        : `it kept ${allOf(f.examined, 'wait')}, but coming ${durationOf(f.tellingMs)} early would have shown ${f.telling === 0 ? 'in none' : `only in ${f.telling}`} of them, and ${f.needed} are needed: the machine held it up, by up to ${durationOf(f.concealedMs)} more than it came late`,
    'gives-up': ({ examined }) =>
      `it gave up ${examined === 1 ? 'the one time' : `all ${examined} times`} Retry-After was in seconds, and never retried early`,
    'comes-early': (f) =>
      `${f.parallel ? 'another request on the key came' : 'it came'} ${earlyInWords(f)} a 429 that said ${f.named} (${f.case})`,
  },
  advice: {
    'kept-or-held-up': (f) => (f.examined === 0 ? 'Let it try again after a wait.' : { ifItStands: waitAll }),
    'comes-early': (f) => (f.parallel ? pauseTheKey : waitAll),
  },
})

const asks = ({ named, arrival }: Refusal): boolean => named.kind === 'seconds' && arrival.status === 503

/** What the client does with `Retry-After` on a 503, of which the interface says nothing. */
export const keptAfter503 = defineBackoffCheck({
  id: 'client.kept-after-503',
  promise: 'it keeps Retry-After on a 503 too',
  clauses: ['CLIENT-1'],
  level: 'observe',
  judge(evidence) {
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks))) return caseNotPlayed('a 503 that names seconds')
    const first = earlyOn(asks)(evidence).find(({ certain }) => certain)
    if (first) {
      const facts = { case: first.story.play.case, namedMs: first.namedMs, waitedMs: first.waitedMs }
      return observed('early-after-503', facts, first.refusal.arrival, first.arrival)
    }
    const examined = stories.flatMap((story) => waitsKept(story, asks, noise).kept).length
    if (examined === 0) return observed('not-kept-after-503', {})
    return observed('kept-after-503', { examined })
  },
  sentences: {
    'early-after-503': (f) =>
      `it came ${durationOf(f.waitedMs)} after a 503 that asked for ${durationOf(f.namedMs)} (${f.case})`,
    'not-kept-after-503': () => 'it was not seen to try again after a 503, which costs nothing',
    'kept-after-503': ({ examined }) => `Retry-After on a 503 was kept ${examined} times`,
  },
})
