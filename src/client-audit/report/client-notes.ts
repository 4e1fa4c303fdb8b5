import { watchedInFull } from '../checks/watched-in-words.js'
import type { JudgedClient } from '../grading/judge-client.js'
import type { ClientEvidence } from '../waits/client-evidence.js'
import type { Story } from '../waits/story.js'
import { watchedWaits } from '../waits/watched-waits.js'

/** Whether a client that was asked for one request was seen to send others: beside it, of another kind, or once it was served. */
const madeSeveral = ({ play, arrivals, workers }: Story): boolean => {
  if (play.asked.requests !== 1) return false
  const servedAt = arrivals.findIndex(({ status }) => status === 200)
  const kinds = new Set(arrivals.map(({ method, path }) => `${method} ${path}`))
  return workers > 1 || kinds.size > 1 || (servedAt >= 0 && servedAt < arrivals.length - 1)
}

const severalAsked = ({ stories }: ClientEvidence): string[] => {
  const several = stories.find(madeSeveral)
  return several
    ? [
        `Asked for one request, the command seems to make several (${several.play.case}): one that comes straight after another one gave up counts as an attempt that came too soon. Let it make PETSTORE_REQUESTS calls from PETSTORE_WORKERS workers. Until then what follows is probably of the script, not of the client.`,
      ]
    : []
}

const stoppedEarly = ({ audit }: ClientEvidence): string[] => {
  const ended = audit.plays.filter(({ end }) => end === 'exit').length
  const stopped =
    !audit.interrupted && audit.arrivals.length === 0 && audit.plays.some(({ end }) => end === 'interrupted')
  return stopped ? [`Stopped once ${ended} plays had ended and not one request had come.`] : []
}

const oneAtATime = ({ grade, schedule }: JudgedClient): string[] =>
  (grade.letter === 'A' || grade.letter === 'B') && schedule.pauses === 'one-at-a-time'
    ? [`The ${grade.letter} is for one request at a time; many workers were not seen.`]
    : []

const someCases = ({ grade }: JudgedClient, { audit }: ClientEvidence): string[] => {
  const { cases } = audit.head
  // Without a grade the headline says so.
  return cases && cases.played < cases.of && grade.letter !== null
    ? [`Only ${cases.played} of ${cases.of} cases were played.`]
    : []
}

/** A pass says what was told: how long the waits that were kept were really watched. */
const howLongWatched = ({ clauses }: JudgedClient, { audit, stories }: ClientEvidence): string[] => {
  const isKept = clauses.some(({ clause, verdict }) => clause.id === 'CLIENT-1' && verdict === 'pass')
  const told = isKept ? watchedInFull(watchedWaits(audit, stories)) : null
  return told === null ? [] : [told]
}

/** What to know before the grade is read: what was not seen, and what the command did that it was not asked for. */
export const clientNotes = (judged: JudgedClient, evidence: ClientEvidence): string[] => [
  ...stoppedEarly(evidence),
  ...severalAsked(evidence),
  ...someCases(judged, evidence),
  ...oneAtATime(judged),
  ...howLongWatched(judged, evidence),
]
