import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { trialsOf } from '../src/cli/keystone/trials.js'
import { clauseOf } from '../src/contract/clauses.js'
import { checks } from '../src/run/registry.js'
import { outcomeOf } from '../workshop/corpus/expectation.js'
import { expectedOf } from '../workshop/corpus/recordings.js'
import { matrixPages } from '../workshop/keystone/pages.js'

describe('the published kill matrix', () => {
  // That each row is exactly what its fault breaks, the recorded runs show: test/corpus.
  it.each([...matrixPages(expectedOf)])('%s is what came out of the recorded runs', (page, text) => {
    expect(readFileSync(page, 'utf8')).toBe(text)
  })

  it('shows every check that judges among those that bring a fault down', () => {
    const killers = new Set(
      trialsOf(undefined, []).flatMap(({ id }) => outcomeOf(expectedOf(`petstore/${id}`)).killers),
    )
    const judging = checks.filter(
      (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
    )
    expect(judging.map(({ id }) => id).filter((id) => !killers.has(id))).toEqual([])
  })
})
