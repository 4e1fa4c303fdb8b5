import type { Story } from '../waits/story.js'
import { durationOf } from './in-words.js'

/** The time zone that a client was started in, where it was given one: to be put after a case's name. */
export const inZone = (timeZone: string | null): string => (timeZone === null ? '' : `, played with TZ=${timeZone}`)

/** The facts of a play in which a client gave up on a date. */
export const givenUpFacts = ({ play, refusals: [first] }: Story) => ({
  case: play.case,
  timeZone: play.timeZone,
  aheadMs: first && 'untilMs' in first.named ? first.named.untilMs - first.answeredAt : 0,
})

/** That it gave up on a date; where it had a time zone of its own, with the question that comes of it. */
export const gaveUpInWords = (f: ReturnType<typeof givenUpFacts>): string =>
  f.timeZone === null
    ? `told a date, it gives up, though it comes back elsewhere (${f.case})`
    : `it gave up on a date ${durationOf(f.aheadMs)} ahead, though it comes back elsewhere: does it read it as local time? (${f.case}${inZone(f.timeZone)})`
