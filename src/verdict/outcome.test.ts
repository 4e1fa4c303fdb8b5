import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Outcome, outcomeOf } from './verdict.js'

type JudgedClause = Parameters<typeof outcomeOf>[0][number]

const of = (...clauses: readonly string[]): JudgedClause[] =>
  clauses.map((each) => {
    const [level, verdict] = each.split(' ')
    return { level, verdict } as JudgedClause
  })

describe('what a run comes to', () => {
  it.each<[readonly string[], Outcome, Outcome]>([
    [[], 'inconclusive', 'inconclusive'],
    [['must not-tested', 'observe observed'], 'inconclusive', 'inconclusive'],
    [['should pass'], 'inconclusive', 'inconclusive'],
    [['must pass'], 'pass', 'pass'],
    [['must pass', 'must not-tested'], 'pass', 'pass'],
    [['must pass', 'must inconclusive'], 'inconclusive', 'inconclusive'],
    [['must pass', 'must inconclusive', 'must fail'], 'fail', 'fail'],
    [['must pass', 'should fail'], 'pass', 'fail'],
    [['must pass', 'should inconclusive'], 'pass', 'inconclusive'],
    [['must pass', 'observe fail', 'observe inconclusive'], 'pass', 'pass'],
  ])('with %j is %s, and under --strict %s', (clauses, loosely, strictly) => {
    expect(outcomeOf(of(...clauses), false)).toBe(loosely)
    expect(outcomeOf(of(...clauses), true)).toBe(strictly)
  })

  it('is never a pass where nothing binding was proven, nor where something binding failed', () => {
    const clause = fc.record({
      level: fc.constantFrom('must' as const, 'should' as const, 'observe' as const),
      verdict: fc.constantFrom(
        'pass' as const,
        'fail' as const,
        'inconclusive' as const,
        'observed' as const,
        'not-tested' as const,
      ),
    })
    fc.assert(
      fc.property(fc.array(clause), fc.boolean(), (clauses, strict) => {
        const must = clauses.filter(({ level }) => level === 'must').map(({ verdict }) => verdict)
        const outcome = outcomeOf(clauses, strict)
        if (!must.includes('pass')) expect(outcome).not.toBe('pass')
        expect(outcome === 'fail').toBe(
          must.includes('fail') ||
            (strict && clauses.some((each) => each.level === 'should' && each.verdict === 'fail')),
        )
      }),
    )
  })
})
