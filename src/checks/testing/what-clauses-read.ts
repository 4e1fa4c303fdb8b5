import type { ClauseId } from '../../contract/clauses.js'
import { type AnswerKind, answerKinds } from './spoiled-answers.js'

/** Which answers a clause speaks about: the bodies of some kinds, and the statuses of some. */
export interface Reading {
  /** If all bodies of one of these kinds say nothing, the clause is not kept. */
  readonly body: readonly AnswerKind[]
  /** Whether such a body plainly breaks the clause; else it tells nothing. */
  readonly breaks: boolean
  /** If all answers of one of these kinds have another status, the clause is not kept. */
  readonly status: readonly AnswerKind[]
}

const errors = ['400', '401', '404'] as const

const reading = (body: readonly AnswerKind[], status: readonly AnswerKind[], breaks = false): Reading => ({
  body,
  breaks,
  status,
})

/**
 * What each binding clause reads, by its own sentence, whatever other clauses say of the same answer. A body that does
 * not parse is no Error body (ERR-1), no array (INV-1), no updated entry (INV-3) and no JSON (BASE-1): it breaks those.
 * It shows no entry, so the schema clauses, and those that read the list, learn nothing. Who is let in shows in the
 * status alone, and limits show in headers.
 */
export const readingOf: Readonly<Partial<Record<ClauseId, Reading>>> = {
  'BASE-1': reading(['list', 'update', ...errors], [], true),
  'BASE-2': reading(['list'], ['list']),
  'SCHEMA-1': reading(['list', 'update'], ['list', 'update']),
  'SCHEMA-2': reading(['list', 'update'], ['list', 'update']),
  'SCHEMA-3': reading(['list', 'update'], ['list', 'update']),
  'INV-1': reading(['list'], ['list'], true),
  'INV-2': reading(['list'], ['list', 'update']),
  'INV-3': reading(['update'], ['update'], true),
  'INV-4': reading([], ['400']),
  'INV-5': reading([], ['400']),
  'INV-6': reading([], ['404']),
  'INV-7': reading(['list'], ['list']),
  'INV-8': reading(['list'], ['list', '400', '404', '429']),
  'INV-9': reading([], ['401']),
  'AUTH-1': reading([], ['401']),
  'AUTH-2': reading([], ['401']),
  'AUTH-3': reading([], ['list']),
  'AUTH-4': reading([], ['401']),
  'AUTH-5': reading([], ['401']),
  'AUTH-6': reading(['list'], ['list', '401']),
  'AUTH-7': reading([], ['list']),
  'AUTH-8': reading([], ['401']),
  'AUTH-9': reading([], ['list']),
  'ERR-1': reading(errors, errors, true),
  'ERR-2': reading(errors, errors),
  'ERR-3': reading([], []),
  'ERR-5': reading([], answerKinds),
  'RATE-1': reading([], []),
  'RATE-2': reading([], []),
  'RATE-3': reading([], ['429']),
  'RATE-4': reading([], []),
  'RATE-5': reading([], []),
  'RATE-6': reading([], ['429']),
  'RATE-7': reading([], []),
  'QUOTA-1': reading([], []),
  'QUOTA-2': reading([], []),
  'QUOTA-3': reading([], []),
  'QUOTA-4': reading([], []),
  'QUOTA-5': reading([], []),
  'QUOTA-6': reading([], ['429']),
  'THROTTLE-1': reading([], ['429']),
  'THROTTLE-2': reading([], ['429']),
  'THROTTLE-3': reading([], ['429']),
  'THROTTLE-4': reading([], ['429']),
  'THROTTLE-5': reading([], ['429']),
  'THROTTLE-6': reading([], []),
  'THROTTLE-8': reading([], ['429']),
  'VER-1': reading([], []),
}
