import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadScenario } from './scenario.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-gates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = (gates: string) => {
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, `name: mine\ndescription: d\nprobes:\n  - probe: hello\ngates:\n${gates}`)
  return loadScenario(file, folder, new Map([['hello', emptySettings]]))
}

const emptySettings = z.strictObject({})

describe('the gates of a scenario', () => {
  it('are limits on figures, on every plan or on one, in every stretch too', () => {
    const gates = `  level: should
  overAdmitted: 0
  excludes: [limit+1, window-2%, lost-1-in-40]
  latencyMs.admitted.p99: 50
  plans:
    pro:
      latencyMs.admitted.p99: { most: 80, everyMs: 1000 }
`
    expect(load(gates).gates).toEqual({
      level: 'should',
      overAdmitted: 0,
      excludes: ['limit+1', 'window-2%', 'lost-1-in-40'],
      'latencyMs.admitted.p99': 50,
      plans: { pro: { 'latencyMs.admitted.p99': { most: 80, everyMs: 1_000 } } },
    })
  })

  it.each([
    [
      'an unknown figure',
      '  overAdmited: 0\n',
      /mine\.yaml:6: gates\.overAdmited is not a field of a scenario: did you mean overAdmitted\?/,
    ],
    [
      'an unknown plan',
      '  plans:\n    fre:\n      lost: 0\n',
      /:7: gates\.plans\.fre is not a field of a scenario: did you mean free\?/,
    ],
    [
      'a figure of the run on a plan',
      '  plans:\n    free:\n      durationMs: 0\n',
      /:8: gates\.plans\.free\.durationMs is not a field/,
    ],
    ['a text as a limit', '  lost: many\n', /:6: gates\.lost: must be a number/],
    ['a stretch of a count', '  lost: { most: 1, everyMs: 1000 }\n', /:6: gates\.lost: must be a number/],
    [
      'a misspelt stretch',
      '  latencyMs.admitted.p99: { most: 1, everyS: 1 }\n',
      /:6: gates\.latencyMs\.admitted\.p99: must be a number, or \{most: 50, everyMs: 1000\}/,
    ],
    [
      'a misspelt defect',
      '  excludes: [limit+1, window-2]\n',
      /:6: gates\.excludes\.1: window-2 is not a defect that a run can exclude: did you mean window-2%\?/,
    ],
    ['another level', '  level: observe\n', /:6: gates\.level: must be one of must or should/],
  ])('refuse %s, and name the line', (_, gates, message) => {
    expect(() => load(gates)).toThrow(message)
  })
})
