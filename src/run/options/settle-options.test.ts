import { describe, expect, it } from 'vitest'
import { mergedGates } from './gates.js'
import type { GivenOptions } from './run-options.js'
import { mergedOptions, type OptionSource, programSource, settleOptions } from './settle-options.js'

const staging = 'https://staging.example/v1'
const production = 'https://api.example/v1'

/** What near and far come to, without what neither says. */
const merged = (far: GivenOptions, near: GivenOptions): GivenOptions =>
  JSON.parse(JSON.stringify(mergedOptions(far, near)))

describe('what is nearer goes before what is farther', () => {
  it.each<[string, GivenOptions, GivenOptions, GivenOptions]>([
    ['field by field', { out: 'a', strict: true }, { out: 'b' }, { out: 'b', strict: true }],
    ['and nothing is said by undefined', { out: 'a' }, { out: undefined }, { out: 'a' }],
    ['lists as a whole', { skip: ['AUTH', 'VER'] }, { skip: ['RATE'] }, { skip: ['RATE'] }],
    ['a list that it empties', { skip: ['AUTH'] }, { skip: [] }, { skip: [] }],
    ['false for true', { strict: true }, { strict: false }, { strict: false }],
    [
      'key by key',
      { keyVariables: { free: 'A', pro: 'B' } },
      { keyVariables: { pro: 'C' } },
      { keyVariables: { free: 'A', pro: 'C' } },
    ],
    [
      'timeout by timeout',
      { timeouts: { head: 5, run: 60 } },
      { timeouts: { run: 90, head: undefined } },
      { timeouts: { head: 5, run: 90 } },
    ],
    ['gate by gate', { gates: { lost: 0, errors: 0 } }, { gates: { lost: 3 } }, { gates: { lost: 3, errors: 0 } }],
    ['no certificates for who checks none', { ca: 'ca.pem' }, { insecure: true }, { insecure: true }],
  ])('%s', (_, far, near, both) => {
    expect(merged(far, near)).toEqual(both)
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
  it.each<[string, GivenOptions, GivenOptions, boolean | undefined, boolean | undefined]>([
    ['holds for the same target', { target: staging, allowLoad: true }, {}, true, undefined],
    [
      'holds for the same, named again',
      { target: staging, allowLoad: true },
      { target: `${staging}/` },
      true,
      undefined,
    ],
    ['holds where the nearer gives it', { target: staging }, { allowLoad: true }, true, undefined],
    ['holds for the target beside it', {}, { target: staging, allowLoad: true }, true, undefined],
    ['is not there unless it is said', { target: staging }, {}, undefined, undefined],
    ['does not go over to another', { target: staging, allowLoad: true }, { target: production }, undefined, undefined],
    ['for no target goes over to none', { allowLoad: true }, { target: production }, undefined, undefined],
    ['is taken back', { target: staging, allowLoad: true }, { allowLoad: false }, false, undefined],
    ['ends where no load is wanted', { target: staging, allowLoad: true }, { withoutLoad: true }, undefined, true],
    ['goes before doing without', { target: staging, withoutLoad: true }, { allowLoad: true }, true, undefined],
    ['leaves doing without', { target: staging, withoutLoad: true }, {}, undefined, true],
  ])('%s', (_, far, near, allowLoad, withoutLoad) => {
    const { allowLoad: allows, withoutLoad: without } = mergedOptions(far, near)
    expect([allows, without]).toEqual([allowLoad, withoutLoad])
  })
})

const typed = (values: GivenOptions): OptionSource => ({ values, nameOf: (path) => `--${path.join('.')}` })
const file = (values: GivenOptions, environment?: string): OptionSource => ({
  values,
  nameOf: (path) => `quotaspec.yaml:${Object.keys(values).indexOf(String(path[0])) + 1}: ${path.join('.')}`,
  file: { file: 'quotaspec.yaml', environment },
})

describe('settled options', () => {
  it('are as usual where nobody says anything', () => {
    expect(settleOptions([typed({ target: `${staging}/` })]).options).toEqual({
      target: staging,
      scenario: 'release-gate',
      keys: [],
      keyVariables: {},
      quotas: {},
      timeouts: {},
      out: 'reports/latest',
      only: [],
      skip: [],
      with: [],
      agents: [],
      timeScale: 1,
      ...{ strict: false, allowLoad: false, withoutLoad: false, readOnly: false, insecure: false },
      ...{ withoutRejectedKeys: false, longWindows: false },
    })
  })

  it('take keys by plan, or in the order in which they were typed', () => {
    const keysOf = (keys: GivenOptions['keys']) => settleOptions([typed({ target: staging, keys })]).options.keys
    const [free, pro] = [
      { name: 'free', secret: 'a' },
      { name: 'pro', secret: 'b' },
    ]
    expect(keysOf({ free: ['a', 'c'], pro: 'b' })).toEqual([free, { ...free, secret: 'c' }, pro])
    expect(keysOf([pro, free])).toEqual([pro, free])
  })

  it.each<[GivenOptions, GivenOptions, string]>([
    [{ timeScale: 0 }, { target: staging }, '--timeScale must be a number above 0, up to 10000: 10 makes a minute'],
    [{}, { target: staging, timeScale: 0 }, 'quotaspec.yaml:2: timeScale must be a number above 0'],
    [
      { timeouts: { head: 0 } },
      { target: staging, timeouts: { run: 5 } },
      '--timeouts.head must be a number of seconds, from',
    ],
    [{ seed: 1.5 }, { target: staging }, '--seed must be a whole number from 0 to 2147483647'],
    [{}, {}, '--target is missing: give the base address, such as http://127.0.0.1:8080/v1'],
    [{ target: 'localhost' }, { target: staging }, '--target must be an address'],
    [{}, { target: 'http://a:b@host/v1' }, 'quotaspec.yaml:1: target must not contain a user name or a password'],
    [{ ca: 'a', insecure: true }, { target: staging }, '--ca and --insecure contradict each other'],
    [
      { allowLoad: true, withoutLoad: true },
      { target: staging },
      '--allowLoad and --withoutLoad contradict each other',
    ],
  ])('name what is wrong as it was said: %j beside %j', (given, inFile, message) => {
    expect(() => settleOptions([typed(given), file(inFile)])).toThrow(message)
  })

  it('of a program are named as its options, and a misspelt one is told', () => {
    const options = { target: staging, targt: 'x' }
    expect(() => settleOptions([programSource(options)])).toThrow(
      'options.targt is not an option: did you mean target?',
    )
  })
})

describe('what was taken from the file is said', () => {
  it.each<[GivenOptions, GivenOptions, string | undefined, string]>([
    [{}, { target: staging, out: 'a', gates: { lost: 0 } }, undefined, 'quotaspec.yaml: target, out, gates'],
    [{ out: 'b' }, { target: staging, out: 'a' }, 'staging', 'quotaspec.yaml, environment staging: target'],
    [{ target: production }, { target: staging, allowLoad: true }, undefined, 'quotaspec.yaml: none'],
    [
      { timeouts: { head: 1 } },
      { target: staging, timeouts: { run: 5 } },
      undefined,
      'quotaspec.yaml: target, timeouts',
    ],
    [{}, { target: staging, keyVariables: { free: 'A' } }, undefined, 'quotaspec.yaml: target, keys'],
  ])('%j and %j of %s', (given, inFile, environment, words) => {
    expect(settleOptions([typed(given), file(inFile, environment)]).remarks[0]).toBe(`settings taken from ${words}`)
  })

  it('and so is leave for load that is not for this target, with its line and what to type', () => {
    const remarks = (given: GivenOptions) =>
      settleOptions([typed(given), file({ target: staging, allowLoad: true })]).remarks.slice(1)
    expect(remarks({ target: production })).toEqual([
      `quotaspec.yaml:2: allowLoad does not apply to ${production}, because the file does not name that target beside it: --allowLoad allows load there`,
    ])
    for (const given of [{}, { target: 'http://127.0.0.1:1/v1' }, { target: production, withoutLoad: true }])
      expect(remarks(given)).toEqual([])
  })
})
