import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { checks } from '../../petstore/checks/all.js'
import { prepareRun } from './prepare-run.js'
import type { RunFlags } from './run-flags.js'
import { madeFlags } from './testing/made-flags.js'

const flags = (part: Partial<RunFlags> = {}): RunFlags => madeFlags({ seed: 7, ...part })

const prepare = (part: Partial<RunFlags> = {}, scenario = 'smoke') => prepareRun(scenario, flags(part), {})

describe('preparing a run', () => {
  it('puts down what the run is, without a secret', () => {
    const { head, keys } = prepare({ key: ['free=s3cr3t-key', 'pro=s3cr3t-pro'] })
    expect(head).toMatchObject({
      type: 'run',
      scenario: 'smoke',
      baseUrl: 'http://127.0.0.1:8080/v1',
      timeScale: 1,
      seed: 7,
      strict: false,
      keys: [
        { name: 'free', plan: 'free' },
        { name: 'pro', plan: 'pro' },
      ],
    })
    expect(head.probes[0]).toEqual({ probe: 'hello', settings: {} })
    expect(JSON.stringify(head)).not.toContain('s3cr3t')
    expect(keys.map(({ secret }) => secret)).toEqual(['s3cr3t-key', 's3cr3t-pro'])
  })

  it('puts down which variable each key came from', () => {
    const environment = { QUOTASPEC_KEY_FREE: 's3cr3t-key', QUOTASPEC_KEY_PRO: 's3cr3t-pro' }
    const configUse = { file: 'quotaspec.yaml', keys: { free: 'STG_KEY_FREE' }, remarks: [] }
    const part = { key: ['business=s3cr3t-business'], configUse }
    expect(prepareRun('smoke', flags(part), environment).head.keys).toMatchObject([
      { name: 'business', variable: null },
      { name: 'free', variable: 'STG_KEY_FREE' },
      { name: 'pro', variable: 'QUOTASPEC_KEY_PRO' },
    ])
  })

  it('plans before anything is sent, and keeps the plan', () => {
    const { head, plan } = prepare()
    expect(plan.requests).toContainEqual({ key: 'free', probe: 'hello', requests: 3 })
    expect(head.planned).toEqual({ requests: plan.requests, durationMs: plan.durationMs })
  })

  it('has every run look at its keys first, whether or not the scenario does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quotaspec-prepare-'))
    const file = join(folder, 'mine.yaml')
    const probesOf = (...lines: readonly string[]) => {
      writeFileSync(file, ['name: mine', 'description: mine', 'probes:', ...lines, ''].join('\n'))
      return prepare({}, file).head.probes.map(({ probe }) => probe)
    }
    expect(probesOf('  - probe: no-key')).toEqual(['hello', 'no-key'])
    expect(probesOf('  - probe: no-key', '  - probe: hello')).toEqual(['hello', 'no-key'])
    rmSync(folder, { recursive: true })
  })

  it('refuses to both allow load and do without', () => {
    expect(() => prepare({ 'allow-load': true, 'without-load': true })).toThrow(/--allow-load and --without-load/)
  })

  it('draws a seed where none is given, from those that may be given', () => {
    const { seed } = prepare({ seed: undefined }).head
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
  })

  it.each<[Partial<RunFlags>, string, readonly string[]]>([
    [{}, 'smoke', ['free']],
    [{ key: ['free=s3cr3t-key', 'pro=s3cr3t-pro'] }, 'smoke', ['free', 'pro']],
  ])('greets on every key: %j', (part, scenario, names) => {
    const { plan } = prepare(part, scenario)
    expect(plan.requests.filter(({ probe }) => probe === 'hello').map(({ key }) => key)).toEqual(names)
  })
})

describe('the command that repeats a run', () => {
  const command = (part: Partial<RunFlags>, scenario = 'smoke') => prepare(part, scenario).head.command

  it('leaves keys to the environment', () => {
    expect(command({})).toBe('quotaspec run smoke --target http://127.0.0.1:8080/v1 --seed 7')
  })

  it('holds everything else that makes a difference', () => {
    const part = {
      quota: ['enterprise=minute:300,day:5000'],
      'time-scale': 10,
      only: ['RATE-1'],
      skip: ['AUTH'],
      strict: true,
      'read-only': true,
      'allow-load': true,
    }
    expect(command(part)).toBe(
      'quotaspec run smoke --target http://127.0.0.1:8080/v1 --quota enterprise=minute:300,day:5000 --time-scale 10 ' +
        '--only RATE-1 --skip AUTH --strict --read-only --allow-load --seed 7',
    )
  })

  it('names the configuration file, for what no flag says, or that none was wanted', () => {
    const configUse = { file: 'ci/quotaspec.yaml', environment: 'staging', keys: {}, remarks: [] }
    expect(command({ configUse })).toMatch(/ --config ci\/quotaspec\.yaml --env staging --seed 7$/)
    expect(command({ config: false })).toMatch(/ --no-config --seed 7$/)
  })

  it('leaves to the file what it says, and to a named environment the file that is found by itself', () => {
    const use = { file: 'quotaspec.yaml', environment: 'staging', keys: {}, remarks: [] }
    const standsFor = ['target', 'scenario', 'time-scale', 'allow-load']
    const part = { 'time-scale': 10, 'allow-load': true, only: ['RATE-1'] }
    expect(command({ ...part, configUse: { ...use, standsFor } })).toBe(
      'quotaspec run --only RATE-1 --env staging --seed 7',
    )
    expect(command({ configUse: { ...use, standsFor }, config: 'quotaspec.yaml' })).toContain('--config quotaspec.yaml')
    expect(command({ configUse: { ...use, environment: undefined, standsFor } })).toBe(
      'quotaspec run --config quotaspec.yaml --seed 7',
    )
    const typed = { ...use, standsFor: ['target'], takenBack: ['--no-strict', '--time-scale 1'] }
    expect(command({ configUse: typed, only: ['RATE-1'] })).toBe(
      'quotaspec run smoke --only RATE-1 --no-strict --time-scale 1 --env staging --seed 7',
    )
  })

  it('is one that a shell takes as it stands', () => {
    expect(command({ target: "http://host/it's/v1" })).toContain(`--target 'http://host/it'\\''s/v1'`)
  })
})

describe('a configuration file', () => {
  const use = { file: 'quotaspec.yaml', keys: { free: 'ACME_FREE' }, remarks: ['settings taken from quotaspec.yaml'] }

  it('has its gates go before the same ones of the scenario, beside the others', () => {
    const configUse = { ...use, gates: { overAdmitted: 2, lost: 0 } }
    expect(prepare({ configUse }, 'release-gate').head.gates).toEqual({
      level: 'must',
      overAdmitted: 2,
      earlyRefused: 0,
      unrestored: 0,
      lost: 0,
    })
  })

  it('is noted in the run', () => {
    expect(prepare({ configUse: use }).remarks).toEqual(['settings taken from quotaspec.yaml'])
  })

  it('names the variables that a key is missing from', () => {
    expect(() => prepare({ configUse: use, key: [] })).toThrow(
      'no key was given: set ACME_FREE, as quotaspec.yaml has it',
    )
  })

  it('with the level should is as strict as a scenario with it', () => {
    expect(prepare({ configUse: { ...use, gates: { level: 'should' } } }).head.strict).toBe(true)
  })
})

describe('--only', () => {
  const played = (only: readonly string[]) =>
    prepare({ only: [...only] }, 'conformance').scheduled.map(({ probe }) => probe.id)

  it.each([
    ['AUTH-1', ['hello', 'no-key']],
    ['auth.no-key', ['hello', 'no-key']],
    ['INV-7', ['hello', 'neighbour-ids', 'unknown-pet']],
  ])('%s plays only what its checks read, and the greeting', (wish, probes) => {
    expect(played([wish])).toEqual(probes)
  })

  it('plays less than everything for a check that reads any answer, and what is asked for besides', () => {
    expect(played([]).length).toBeGreaterThan(10)
    expect(played(['errors.status-agrees'])).toEqual(['hello', 'invalid-bodies', 'unknown-pet', 'no-key'])
    const { head } = prepare({ only: ['errors.status-agrees'], with: ['hard-input'] }, 'conformance')
    expect(head.probes.map(({ probe }) => probe)).toContain('hard-input')
    expect(head.command).toContain('--only errors.status-agrees --with hard-input')
    expect(() => prepare({ with: ['hard-inputt'] }, 'conformance')).toThrow(
      '--with hard-inputt: the scenario conformance plays no such probe; did you mean hard-input?',
    )
  })

  it('knows every check by its id', () => {
    for (const { id } of checks) expect(() => prepare({ only: [id.toUpperCase()] })).not.toThrow()
  })
})

describe('what can not be used is refused with what to type instead', () => {
  it.each<[string, Partial<RunFlags>, RegExp]>([
    ['no target', { target: undefined }, /--target is missing/],
    ['no key', { key: [] }, /no key was given: set QUOTASPEC_KEY_FREE/],
    ['a time scale of 0', { 'time-scale': 0 }, /--time-scale 0: a number above 0/],
    ['a time scale that is none', { 'time-scale': Number.NaN }, /--time-scale NaN/],
    ['a time scale beyond measure', { 'time-scale': 10_001 }, /up to 10000/],
    ['a seed below 0', { seed: -1 }, /--seed -1: a whole number/],
    ['a fraction as seed', { seed: 1.5 }, /--seed 1.5/],
    ['a seed beyond 2^31', { seed: 2 ** 31 }, /to 2147483647/],
    [
      'a misspelt check',
      { only: ['rate.header-present'] },
      /--only rate\.header-present: .*did you mean rate\.headers-present\?/,
    ],
    [
      'a wish like nothing',
      { skip: ['everything-else-there-is'] },
      /--skip everything-else-there-is: .*an id looks like RATE-5/,
    ],
    ['an Enterprise key without numbers', { key: ['enterprise=s3cr3t-key'] }, /--quota/],
  ])('%s', (_name, part, message) => {
    expect(() => prepare(part)).toThrow(UsageError)
    expect(() => prepare(part)).toThrow(message)
  })

  it('an unknown scenario', () => {
    expect(() => prepare({}, 'smoek')).toThrow(/there is no scenario smoek: .*release-gate.*smoke/)
  })
})

describe('a run whose loads agents send', () => {
  const spreadIn = (part: Partial<RunFlags>) =>
    prepare(part, 'spread').head.probes.find(({ probe }) => probe === 'spread')?.settings

  it('plans for as many machines as it asks for, and names them in the command, not their Redis', () => {
    const asked = { agents: 'eu=2,us=1', redis: 'redis://:s3cret@h:6379' }
    expect(spreadIn(asked)).toMatchObject({ machines: 3 })
    expect(spreadIn({})).toMatchObject({ machines: 1 })
    const { command } = prepare(asked, 'spread').head
    expect(command).toContain('--agents eu=2,us=1')
    expect(command).not.toContain('s3cret')
  })

  it.each<[Partial<RunFlags>, RegExp]>([
    [{ agents: 'eu' }, /--agents eu: "eu" is no NAME=COUNT/],
    [{ redis: 'redis://:s3cret@h' }, /^--redis is where the agents are: add --agents/],
    [{ 'agents-within': 5 }, /--agents-within is for --agents/],
    [{ agents: 'eu=1', 'agents-within': 0 }, /--agents-within 0: seconds, from 1 to 3600/],
  ])('is refused for %o', (part, why) => {
    expect(() => prepare(part)).toThrow(why)
    expect(() => prepare(part)).not.toThrow(/s3cret/)
  })
})
