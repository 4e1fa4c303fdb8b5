import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { isOtherOperation } from '../waits/as-asked.js'
import { waitsKept } from '../waits/early-arrivals.js'
import { givesUpOn } from '../waits/given-up.js'
import type { KeptWait } from '../waits/kept-waits.js'
import { inWords } from '../waits/named-wait.js'
import { asksForDate, dateToleranceMs, dateWasNamed, earlyOnDate } from '../waits/seconds-and-dates.js'
import type { Story } from '../waits/story.js'
import { ownSchedule } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { gaveUpInWords, givenUpFacts, inZone } from './dates-in-words.js'
import { durationOf, heldTimes } from './in-words.js'
import { caseNotPlayed, earlyOrUnderWay } from './shared-findings.js'

/** Waits so far apart are not the same, but for chance. */
const apart = 0.2

type OwnSchedule = ReturnType<typeof ownSchedule>

/**
 * A date that was kept tells something where the client did not only happen to wait as long: what it waits by itself, at
 * that attempt, is clearly another time. Where that was not played it has to come promptly.
 */
const tellsOf = ({ refusals }: Story, { refusal, arrival, lateMs }: KeptWait, own: OwnSchedule): boolean => {
  if (own.stories.length === 0) return lateMs <= dateToleranceMs
  const attempt = own.attempts[refusals.indexOf(refusal)]
  if (!attempt) return true
  const waitedMs = arrival.at - refusal.answeredAt
  const { waitsMs } = attempt
  return waitedMs < waitsMs[0] * (1 - apart) || waitedMs > waitsMs[waitsMs.length - 1] * (1 + apart)
}

/** A `Retry-After` that is an HTTP-date, in the form that servers send (IMF-fixdate, RFC 9110 §5.6.7), is kept. */
export const datesKept = defineBackoffCheck({
  id: 'client.dates-kept',
  promise: 'a Retry-After that is an HTTP-date (IMF-fixdate) is kept',
  clauses: ['CLIENT-4'],
  judge(evidence) {
    const { stories, noise } = evidence
    if (!dateWasNamed(stories)) return caseNotPlayed('a 429 that names a date')
    const all = earlyOnDate(evidence)
    const early = all.find(({ certain }) => certain)
    if (early) {
      const { story, refusal, arrival, namedMs, waitedMs } = early
      const { case: played, timeZone } = story.play
      const facts = { case: played, timeZone, named: inWords(refusal.named), namedMs, waitedMs }
      return fail('misses-date', facts, refusal.arrival, arrival)
    }
    if (all.length > 0) return earlyOrUnderWay(all[0])
    const givenUp = givesUpOn(evidence, asksForDate)
    if (givenUp) return fail('gives-up-on-date', givenUpFacts(givenUp), givenUp.arrivals[0])
    const own = ownSchedule(stories)
    const played = stories.filter((story) => !isOtherOperation(story))
    const kept = played.flatMap((story) =>
      waitsKept(story, asksForDate, noise, dateToleranceMs).kept.map((each) => tellsOf(story, each, own)),
    )
    const facts = { examined: kept.length, telling: kept.filter(Boolean).length }
    return facts.telling > 0 ? pass('dates-kept', facts) : inconclusive('date-or-own-wait', facts)
  },
  sentences: {
    'misses-date': (f) =>
      `it came ${durationOf(f.waitedMs)} after a refusal whose Retry-After was a date ${durationOf(f.namedMs)} ahead (${f.case}${inZone(f.timeZone)})`,
    'gives-up-on-date': gaveUpInWords,
    'dates-kept': (f) =>
      `dates were kept: ${heldTimes(f.examined)}, ${f.telling} of them not as its own waits would have it`,
    'date-or-own-wait': (f) =>
      f.examined === 0
        ? 'no date was seen to its end'
        : `it came after the date each time (${f.examined}), but after as long as it waits by itself: whether it reads dates can't be told`,
  },
  advice: {
    'misses-date': () =>
      'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), in GMT whatever the local time zone is, and wait until that moment.',
    'gives-up-on-date': () =>
      'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), in GMT whatever the local time zone is, wait until that moment, and try again.',
    'date-or-own-wait': () => 'Play a date that is much further ahead than its own waits, with --cases.',
  },
})
