import { inWords } from '../../backoff/named-waits/named-wait.js'
import { immediateAttempts, zeroRun } from '../../backoff/own-waits/hammering.js'
import { ownSchedule } from '../../backoff/own-waits/waits.js'
import type { Story } from '../../backoff/story.js'
import { triesAgain } from '../../backoff/story.js'
import type { ClientEvidence } from '../../checks/client/client-check.js'
import { dateWasNamed } from '../../checks/client/dates-kept.js'
import { obsoleteDates } from '../../checks/client/obsolete-dates.js'
import { type GradeReason, stands } from './grade.js'

/** Coming at once on `Retry-After: 0` more often than this in a row keeps a client from B. */
const mostOnZero = 10
/** A window that holds fewer requests than this can't be kept clear of by those that are under way already. */
const fewestInWindow = 20

const onlySeconds = (stories: readonly Story[]): readonly GradeReason[] => {
  const kindOf = ({ refusals: [first] }: Story) => first?.named.kind
  const again = (kind: string) => stories.some((story) => kindOf(story) === kind && triesAgain(story))
  if (!dateWasNamed(stories) || ownSchedule(stories).stories.length === 0) return []
  const only = again('seconds') && !again('date') && !again('none')
  return only ? [stands('D', 'fail', 'only-seconds', {})] : []
}

const immediate = ({ stories, noise }: ClientEvidence): readonly GradeReason[] =>
  immediateAttempts(stories, noise).map(({ lonely, waitMs }) =>
    stands('C', 'fail', 'immediate-attempt', { case: lonely.case, named: inWords(lonely.named), waitMs }),
  )

const zero = (stories: readonly Story[]): readonly GradeReason[] => {
  const { attempts } = zeroRun(stories)
  return attempts > mostOnZero ? [stands('C', 'fail', 'zero-taken-as-now', { attempts })] : []
}

/** What a client with a real quota of its own has to show for an A: more work than a window holds, and not one 429. */
const quotaKept = (stories: readonly Story[]): readonly GradeReason[] => {
  const real = stories.filter(({ play }) => play.quota !== null)
  const banned = real.find(({ arrivals }) => arrivals.some((each) => each.banned))
  if (banned) return [stands('B', 'fail', 'sets-off-ban', { case: banned.play.case })]
  const own = real.filter(
    ({ play }) =>
      play.quota?.shared === false &&
      play.asked.requests > play.quota.requests &&
      play.quota.requests >= fewestInWindow,
  )
  const idle = own.find(({ play, arrivals }) => arrivals.length <= (play.quota?.requests ?? 0))
  if (own.length === 0 || idle) return [notExercised(idle)]
  const over = own.find(({ refusals }) => refusals.length > 0)
  if (!over) return []
  const facts = { case: over.play.case, refused: over.refusals.length, requests: over.arrivals.length }
  return [stands('B', 'fail', 'runs-into-limit', facts, ...over.refusals.map((each) => each.arrival))]
}

/** A client that had ended sends no more; one that was cut off, as on a busy machine, might have. */
const notExercised = (idle: Story | undefined): GradeReason => {
  const reason = stands('B', 'inconclusive', 'quota-not-exercised', {
    case: idle?.play.case ?? 'none',
    sent: idle?.arrivals.length ?? 0,
    asked: idle?.play.asked.requests ?? 0,
  })
  return idle && idle.play.end !== 'exit' ? { ...reason, state: 'open' } : reason
}

/** Rather than come back while a wait of more than a day lasts, it gives up. */
const givesUp = (stories: readonly Story[]): readonly GradeReason[] => {
  const huge = stories.filter(({ refusals: [first] }) => first?.named.kind === 'huge')
  if (huge.length === 0) return [stands('B', 'inconclusive', 'huge-not-shown', {})]
  for (const { refusals, arrivals, workers, play } of huge) {
    const next = arrivals[workers]
    if (next) {
      const facts = { case: play.case, waitedMs: next.at - refusals[0].answeredAt }
      return [stands('B', 'fail', 'comes-back-on-huge', facts, refusals[0].arrival, next)]
    }
  }
  return []
}

/** The two obsolete forms of a date, which no server may send, cost the A at most. */
const obsolete = (evidence: ClientEvidence): readonly GradeReason[] => {
  const { code, facts } = obsoleteDates.judge(evidence)
  return code === 'obsolete-date-missed' ? [stands('B', 'fail', code, { case: String(facts.case) })] : []
}

/** What the rubric asks for beyond the clauses. */
export const furtherReasons = (evidence: ClientEvidence): readonly GradeReason[] => [
  ...onlySeconds(evidence.stories),
  ...immediate(evidence),
  ...zero(evidence.stories),
  ...quotaKept(evidence.stories),
  ...givesUp(evidence.stories),
  ...obsolete(evidence),
]
