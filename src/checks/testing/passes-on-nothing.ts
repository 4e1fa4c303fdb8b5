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

/** Checks that read only some kinds, or one side, of what their clause speaks of: other checks keep it from passing. */
const readsLess: Readonly<Record<string, Partial<Reading>>> = {
  // An update shows as well as a list that all digits survive.
  'schema.large-ids': { body: [], status: [] },
  'inventory.bounds-kept-exactly': { body: ['update'], status: ['update'] },
  'inventory.refused-write': { status: ['list', '429'] },
  'inventory.refusals-change-nothing': { status: ['list', '400', '404'] },
  'inventory.model-refused-unchanged': { status: ['list'] },
  // A walk's answers that can't be read are for inventory.update-answer, which reads them too.
  'inventory.model-valid-updates': { breaks: false },
  'inventory.list-is-current': { status: ['list', 'update'] },
}

/** A failure if the body plainly breaks the clause, else no evidence; never a pass. */
const notPassing = (breaks: boolean): readonly Verdict[] => (breaks ? ['fail'] : ['inconclusive', 'fail', 'not-tested'])

const readingsOf = (check: Check): readonly Reading[] =>
  check.clauses
    .filter((id) => clauseOf(id).level !== 'observe')
    .map((id: ClauseId) => {
      const reading = readingOf[id]
      if (!reading) throw new Error(`say in readingOf of what-clauses-read.ts what ${id} reads of answers`)
      return { ...reading, ...readsLess[check.id] }
    })

/** Checks the verdicts on evidence that passes, once its answers of this kind are spoiled. */
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

/** One test: a check that passes does not pass on the same answers once they say nothing. */
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
