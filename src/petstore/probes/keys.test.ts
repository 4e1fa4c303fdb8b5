import { describe, expect, it } from 'vitest'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import type { KeyFacts, ProbeContext, Question } from '../../probes/probe.js'
import { keyElsewhere } from './keys.js'

const asked = async (letterCase?: KeyFacts['letterCase']): Promise<readonly Question[]> => {
  const questions: Question[] = []
  const context = { key: { ...madeKey('free'), letterCase }, ask: async (each: Question) => void questions.push(each) }
  await keyElsewhere.play(context as unknown as ProbeContext<string>, {})
  return questions
}

describe('a request with two Authorization headers', () => {
  it('belongs to no operation, for HTTP forbids it', async () => {
    const doubled = (await asked()).filter(({ as }) => as === 'two-headers')
    expect(doubled).toEqual([expect.objectContaining({ step: 'open', operation: undefined, path: '/inventory' })])
  })
})

describe('a key in other letter case', () => {
  it.each([
    ['mixed', ['other-case']],
    ['plain', ['open']],
    [undefined, []],
  ] as const)('is asked with, where its letters are %s, in the steps %j', async (letterCase, steps) => {
    const other = (await asked(letterCase)).filter(({ as }) => as === 'key-in-other-case')
    expect(other.map(({ step }) => step)).toEqual(steps)
  })
})
