import { describe, expect, it } from 'vitest'
import type { ConfigSection } from './config-schema.js'
import { mergedGates, mergedSections } from './merge-sections.js'

const staging = 'https://staging.example/v1'
const production = 'https://api.example/v1'

/** What a section settles to, without what it does not say. */
const settled = (top: ConfigSection, environment: ConfigSection): ConfigSection =>
  JSON.parse(JSON.stringify(mergedSections(top, environment)))

describe('an environment goes before the top of the file', () => {
  it.each<[string, ConfigSection, ConfigSection, ConfigSection]>([
    ['field by field', { out: 'a', strict: true }, { out: 'b' }, { out: 'b', strict: true }],
    ['lists as a whole', { skip: ['AUTH', 'VER'] }, { skip: ['RATE'] }, { skip: ['RATE'] }],
    ['a list that it empties', { skip: ['AUTH'] }, { skip: [] }, { skip: [] }],
    ['false for true', { strict: true }, { strict: false }, { strict: false }],
    ['key by key', { keys: { free: 'A', pro: 'B' } }, { keys: { pro: 'C' } }, { keys: { free: 'A', pro: 'C' } }],
    [
      'timeout by timeout',
      { timeouts: { head: 5, run: 60 } },
      { timeouts: { run: 90 } },
      { timeouts: { head: 5, run: 90 } },
    ],
    ['gate by gate', { gates: { lost: 0, errors: 0 } }, { gates: { lost: 3 } }, { gates: { lost: 3, errors: 0 } }],
  ])('%s', (_, top, environment, both) => {
    expect(settled(top, environment)).toEqual(both)
  })

  it('gate by gate of each plan too', () => {
    const far = { lost: 0, plans: { free: { lost: 1, errors: 1 }, pro: { lost: 2 } } }
    expect(mergedGates(far, { plans: { free: { lost: 5 } } })).toEqual({
      lost: 0,
      plans: { free: { lost: 5, errors: 1 }, pro: { lost: 2 } },
    })
  })
})

describe('leave for load', () => {
  it.each<[string, ConfigSection, ConfigSection, boolean | undefined]>([
    ['holds in an environment with the same target', { target: staging, allowLoad: true }, {}, true],
    ['holds where an environment gives it', { target: staging }, { allowLoad: true }, true],
    ['holds for the target beside it', {}, { target: staging, allowLoad: true }, true],
    ['does not go over to another target', { target: staging, allowLoad: true }, { target: production }, undefined],
    ['that is given for no target goes over to none', { allowLoad: true }, { target: production }, undefined],
    ['is taken back', { target: staging, allowLoad: true }, { allowLoad: false }, false],
    [
      'ends where an environment does without load',
      { target: staging, allowLoad: true },
      { withoutLoad: true },
      undefined,
    ],
  ])('%s', (_, top, environment, allowLoad) => {
    expect(mergedSections(top, environment).allowLoad).toBe(allowLoad)
  })

  it('of an environment goes before doing without load', () => {
    const both = mergedSections({ target: staging, withoutLoad: true }, { allowLoad: true })
    expect(both).toMatchObject({ allowLoad: true, withoutLoad: undefined })
  })
})
