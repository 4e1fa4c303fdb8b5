import { expect, it } from 'vitest'
import { type ClauseId, clauseOf } from '../../contract/clauses.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Verdict } from '../../verdict/verdict.js'
import type { Check } from '../framework/check.js'
import {
  type AnswerKind,
  answerKinds,
  bodySpoils,
  broken,
  cutSpoils,
  holds,
  spoiled,
  statusSpoils,
  wrongType,
} from './spoiled-answers.js'
import { type Reading, readingOf } from './what-clauses-read.js'

/** Checks that see one of several kinds only, or one of several sides: the others keep their clause from passing. */
const readsLess: Readonly<Record<string, Partial<Reading>>> = {
  // Of digits that survive an update tells as well as a list.
  'schema.large-ids': { body: [], status: [] },
  'inventory.bounds-kept-exactly': { body: ['update'], status: ['update'] },
  'inventory.refused-write': { status: ['list', '429'] },
  'inventory.refusals-change-nothing': { status: ['list', '400', '404'] },
  'inventory.model-refused-unchanged': { status: ['list'] },
  // What can't be read of a walk's answers is for inventory.update-answer, which reads them too.
  'inventory.model-valid-updates': { breaks: false },
  'inventory.list-is-current': { status: ['list', 'update'] },
}

/** A breach where the sentence plainly is one, else nothing told; never a pass. */
const notPassing = (breaks: boolean): readonly Verdict[] => (breaks ? ['fail'] : ['inconclusive', 'fail', 'not-tested'])

const readingsOf = (check: Check): readonly Reading[] =>
  check.clauses
    .filter((id) => clauseOf(id).level !== 'observe')
    .map((id: ClauseId) => {
      const reading = readingOf[id]
      if (!reading) throw new Error(`what ${id} reads of answers is not in the table`)
      return { ...reading, ...readsLess[check.id] }
    })

/** What a check has to find in evidence that it passes, with answers of this kind spoiled. */
const judgedSpoiled = (check: Check, evidence: Evidence, kind: AnswerKind, { body, breaks, status }: Reading): void => {
  for (const [name, spoil] of Object.entries(bodySpoils)) {
    const { verdict } = check.judge(spoiled(evidence, [kind], spoil))
    const allowed = body.includes(kind) ? notPassing(breaks) : notPassing(false).concat('pass')
    expect(allowed, `each ${kind} has ${name}`).toContain(verdict)
  }
  for (const [name, spoil] of Object.entries(cutSpoils)) {
    const { verdict } = check.judge(spoiled(evidence, [kind], spoil, 1))
    expect(verdict, `one ${kind} has ${name}`).not.toBe('fail')
  }
  const harness = check.judge(spoiled(evidence, [kind], cutSpoils['a body that the harness cut off']))
  expect(harness.verdict, `the harness cut each ${kind} off`).not.toBe('fail')
  const typed = check.judge(spoiled(evidence, [kind], wrongType))
  const ofType = check.clauses.includes('BASE-1') && body.includes(kind) ? 'fail' : 'pass'
  expect(typed.verdict, `each ${kind} has another media type over a good body`).toBe(ofType)
  if (!status.includes(kind)) return
  for (const name of Object.keys(statusSpoils)) {
    const { verdict } = check.judge(broken(evidence, [kind], name === 'a 500' ? 500 : 503))
    expect(verdict, `each ${kind} is ${name}`).not.toBe('pass')
  }
}

/** One test: where a check passes, it does not pass on the same answers once they say nothing. */
export const passesOnNothing = (check: Check, passing: readonly (readonly [string, Evidence])[]): void => {
  const isBinding = check.level !== 'observe' && readingsOf(check).length > 0
  if (!isBinding || passing.length === 0) return
  it.each(passing)('does not pass on answers that say nothing, where %s', (_name, evidence) => {
    expect(check.judge(evidence).verdict).toBe('pass')
    for (const reading of readingsOf(check)) {
      for (const kind of answerKinds) if (holds(evidence, [kind])) judgedSpoiled(check, evidence, kind, reading)
      if (reading.body.length === 0) continue
      for (const [name, spoil] of Object.entries({ ...bodySpoils, ...cutSpoils })) {
        const { verdict } = check.judge(spoiled(evidence, answerKinds, spoil))
        expect(verdict, `each answer has ${name}`).not.toBe('pass')
      }
    }
    for (const status of holds(evidence, answerKinds) ? ([500, 503] as const) : []) {
      const { verdict } = check.judge(broken(evidence, answerKinds, status))
      expect(verdict, `each answer is a ${status}`).not.toBe('pass')
    }
  })
}
