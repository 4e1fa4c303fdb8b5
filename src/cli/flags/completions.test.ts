import { describe, expect, it } from 'vitest'
import { surfaces } from './all.js'
import { completions } from './completions.js'

const complete = (...words: string[]) => completions(words, surfaces)

describe('what a shell completes', () => {
  it.each([
    ['a command', ['re'], ['restore', 'report']],
    ['a flag', ['run', '--time'], ['--time-scale', '--time-limit']],
    ['a scenario', ['run', 'sm'], ['smoke']],
    ['a scenario behind flags', ['plan', '--strict', 'rel'], ['release-gate']],
    ['a clause', ['run', '--only', 'RATE-1'], ['RATE-1']],
    ['a check', ['run', 'smoke', '--skip', 'throttle.retry-after-h'], ['throttle.retry-after-honest']],
    ['a plan', ['run', '--key', 'fr'], ['free=']],
    ['a fault', ['serve', '--fault', 'limit-plus'], ['limit-plus-one']],
    ['a variation', ['serve', '--variation', 'zzz'], []],
    ['a format', ['report', 'reports/latest', '--as', 'j'], ['json', 'junit']],
    ['an algorithm', ['serve', '--algorithm', 'gc'], ['gcra']],
    ['nothing where a file is due', ['run', '--out', ''], []],
    ['nothing behind what is no command', ['nope', '--'], []],
  ])('is %s', async (_, words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })
})
