import { seededRandom } from '../../src/kit/random.js'
import type { Departure } from '../behaviour/behaviour.js'
import type { Answer } from '../http/answer.js'
import { withHeaders } from '../http/header-edits.js'
import type { Variation } from './variation.js'

const hourMs = 3_600_000

const begin = new Date(0).toUTCString()

/** Answers with another Date. The clock that windows and Resets go by is right. */
const dates =
  (as: (answer: Answer, nowMs: number) => Answer): Departure =>
  (_, { self }) => ({ finish: (answer) => as(answer, self().nowMs()) })

/** What the Date of an answer says, of which the interface says nothing. */
export const dateVariations: readonly Variation[] = [
  {
    id: 'date-of-1970',
    sentence: 'The Date of each answer is the beginning of 1970.',
    depart: dates((answer) => withHeaders(answer, { Date: begin })),
  },
  {
    id: 'date-jumping',
    sentence: 'The Date jumps by up to two hours, back and forth.',
    depart(before, surroundings) {
      const random = seededRandom(2)
      const jumped = (nowMs: number) => new Date(nowMs + (random.float() * 4 - 2) * hourMs).toUTCString()
      return dates((answer, nowMs) => withHeaders(answer, { Date: jumped(nowMs) }))(before, surroundings)
    },
  },
  {
    id: 'date-of-no-use',
    sentence: 'The Date is absent, no date, and of 1970 in turn.',
    depart(before, surroundings) {
      let answers = 0
      return dates((answer) => {
        answers += 1
        if (answers % 3 === 0) return { ...answer, undated: true }
        return withHeaders(answer, { Date: answers % 3 === 1 ? 'today' : begin })
      })(before, surroundings)
    },
  },
]
