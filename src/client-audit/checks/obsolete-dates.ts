import { observed } from '../../checks/framework/finding.js'
import { waitsKept } from '../waits/early-arrivals.js'
import { givesUpOn } from '../waits/given-up.js'
import { dateToleranceMs } from '../waits/seconds-and-dates.js'
import type { Refusal } from '../waits/story.js'
import { defineBackoffCheck } from './client-check.js'
import { gaveUpInWords, givenUpFacts, inZone } from './dates-in-words.js'
import { caseNotPlayed } from './shared-findings.js'

const asks = ({ named }: Refusal): boolean => named.kind === 'obsolete-date'

const readBoth = () =>
  'Read the forms of RFC 850 and asctime too, as RFC 9110 §5.6.7 asks of recipients: in GMT, also where asctime names no zone.'

/** What the client does with the two obsolete forms of a date, which no server may send and every recipient has to read. */
export const obsoleteDates = defineBackoffCheck({
  id: 'client.obsolete-dates',
  promise: 'the two obsolete forms of an HTTP-date are kept too',
  clauses: ['CLIENT-4'],
  level: 'observe',
  judge(evidence) {
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks)))
      return caseNotPlayed('a 429 that names a date in an obsolete form')
    const plays = stories.map((story) => ({ story, ...waitsKept(story, asks, noise, dateToleranceMs) }))
    for (const { story, early } of plays) {
      const first = early.find(({ certain }) => certain)
      if (!first) continue
      const { case: played, timeZone } = story.play
      return observed('obsolete-date-missed', { case: played, timeZone }, first.refusal.arrival)
    }
    const givenUp = givesUpOn(evidence, asks)
    if (givenUp) return observed('obsolete-date-given-up', givenUpFacts(givenUp), givenUp.arrivals[0])
    const examined = plays.flatMap(({ kept }) => kept).length
    const isTold = examined > 0 && plays.every(({ early }) => early.length === 0)
    return isTold ? observed('obsolete-dates-kept', { examined }) : observed('obsolete-dates-not-told', { examined })
  },
  sentences: {
    'obsolete-date-missed': (f) =>
      `a date in an obsolete form, which no server may send, is not kept (${f.case}${inZone(f.timeZone)})`,
    'obsolete-date-given-up': (f) => `of a date in an obsolete form, which no server may send: ${gaveUpInWords(f)}`,
    'obsolete-dates-kept': ({ examined }) => `dates in the two obsolete forms were kept ${examined} times`,
    'obsolete-dates-not-told': ({ examined }) =>
      examined === 0
        ? 'no date in an obsolete form was seen to its end'
        : `dates in the two obsolete forms were kept ${examined} times, but a request came while one lasted, of which can't be told whether it was under way`,
  },
  advice: {
    'obsolete-date-missed': readBoth,
    'obsolete-date-given-up': readBoth,
  },
})
