import { fail, inconclusive, observed, pass } from '../../checks/framework/finding.js'
import { isOtherOperation, type KeptWait, waitsKept } from '../waits/early-arrivals.js'
import {
  asksForDate,
  dateToleranceMs,
  dateWasNamed,
  earlyOn,
  earlyOnDate,
  givesUpOn,
} from '../waits/seconds-and-dates.js'
import { inWords, type Refusal, type Story } from '../waits/story.js'
import { ownSchedule } from '../waits/waits.js'
import { caseNotPlayed, defineBackoffCheck, earlyOrUnderWay } from './client-check.js'
import { allOf, durationOf } from './in-words.js'

const isWest = (timeZone: string): boolean =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(0).includes('GMT-')

const givenUpFacts = ({ play, refusals: [first] }: Story) => ({
  case: play.case,
  timeZone: play.timeZone,
  west: play.timeZone !== null && isWest(play.timeZone),
  aheadMs: first && 'untilMs' in first.named ? first.named.untilMs - first.answeredAt : 0,
})

/** The time zone in which a client was started, if any, to append to a case's name. */
const inZone = (timeZone: string | null): string => (timeZone === null ? '' : `, played with TZ=${timeZone}`)

/** A sentence: it gave up on a date; west of Greenwich, where local time makes it hours, it asks whether that is why. */
const gaveUpInWords = (f: ReturnType<typeof givenUpFacts>): string =>
  `it gave up on a date ${durationOf(f.aheadMs)} ahead, though it comes back in other cases${f.west ? ': does it read it as local time?' : ''} (${f.case}${inZone(f.timeZone)})`

/** Waits this far apart are different, except by chance. */
const apart = 0.2

/** Whether a kept date is evidence: not if the client's own wait may just have been as long. */
const tellsOf = ({ refusals }: Story, { refusal, arrival, lateMs }: KeptWait, own: ReturnType<typeof ownSchedule>) => {
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
  promise: 'it keeps a Retry-After that is an HTTP-date (IMF-fixdate)',
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
    'dates-kept': (f) => `it kept ${allOf(f.examined, 'date')}, ${f.telling} of them with waits unlike its own`,
    'date-or-own-wait': (f) =>
      f.examined === 0
        ? 'quotaspec watched no date to its end'
        : `it came after the date each time (${f.examined}), but its own waits are as long, so it is unclear whether it reads dates`,
  },
  advice: {
    'misses-date': () =>
      'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), in GMT whatever the local time zone is, and wait until that moment.',
    'gives-up-on-date': () =>
      'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), in GMT whatever the local time zone is, wait until that moment, and try again.',
    'date-or-own-wait': () => 'Play a date that is much further ahead than its own waits, with --cases.',
  },
})

const asks = ({ named }: Refusal): boolean => named.kind === 'obsolete-date'

const readBoth = () =>
  'Read the forms of RFC 850 and asctime too, as RFC 9110 §5.6.7 asks of recipients: in GMT, also where asctime names no zone.'

/** What the client does with the two obsolete forms of a date, which no server may send and every recipient has to read. */
export const obsoleteDates = defineBackoffCheck({
  id: 'client.obsolete-dates',
  promise: 'it keeps the two obsolete forms of an HTTP-date too',
  clauses: ['CLIENT-4'],
  level: 'observe',
  judge(evidence) {
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks)))
      return caseNotPlayed('a 429 that names a date in an obsolete form')
    const early = earlyOn(asks, dateToleranceMs)(evidence)
    const first = early.find(({ certain }) => certain)
    if (first) {
      const { case: played, timeZone } = first.story.play
      return observed('obsolete-date-missed', { case: played, timeZone }, first.refusal.arrival)
    }
    const givenUp = givesUpOn(evidence, asks)
    if (givenUp) return observed('obsolete-date-given-up', givenUpFacts(givenUp), givenUp.arrivals[0])
    const examined = stories.flatMap((story) => waitsKept(story, asks, noise, dateToleranceMs).kept).length
    const isTold = examined > 0 && early.length === 0
    return isTold ? observed('obsolete-dates-kept', { examined }) : observed('obsolete-dates-not-told', { examined })
  },
  sentences: {
    'obsolete-date-missed': (f) =>
      `a date in an obsolete form, which no server may send, is not kept (${f.case}${inZone(f.timeZone)})`,
    'obsolete-date-given-up': (f) => `for a date in an obsolete form, which no server may send: ${gaveUpInWords(f)}`,
    'obsolete-dates-kept': ({ examined }) => `it kept ${allOf(examined, 'date')} in the two obsolete forms`,
    'obsolete-dates-not-told': ({ examined }) =>
      examined === 0
        ? 'quotaspec watched no date in an obsolete form to its end'
        : `dates in the two obsolete forms were kept ${examined} times, but a request came while one lasted, and may have been under way already`,
  },
  advice: {
    'obsolete-date-missed': readBoth,
    'obsolete-date-given-up': readBoth,
  },
})
