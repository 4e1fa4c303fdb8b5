import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { checks } from '../registry.js'
import { prepareRun } from './prepare-run.js'
import type { GivenOptions } from './run-options.js'
import { type OptionSource, settleOptions } from './settle-options.js'
import { madeOptions } from './testing/made-options.js'

const usual: GivenOptions = { target: 'http://127.0.0.1:8080/v1/', keys: { free: 's3cr3t-key' }, seed: 7 }

const prepare = (part: GivenOptions = {}, scenario = 'smoke') =>
  prepareRun(madeOptions({ scenario, seed: 7, ...part }), {})

/** As flags say it, beside a configuration file that says something too. */
const settled = (typed: GivenOptions, inFile: GivenOptions, file: Partial<OptionSource['file']> = {}) =>
  settleOptions([
    { values: typed, nameOf: (path) => `--${path.join('.')}` },
    {
      values: inFile,
      nameOf: (path) => `quotaspec.yaml: ${path.join('.')}`,
      file: { file: 'quotaspec.yaml', ...file },
    },
  ])

describe('preparing a run', () => {
  it('puts down what the run is, without a secret', () => {
    const { head, keys } = prepare({ keys: { free: 's3cr3t-key', pro: 's3cr3t-pro' } })
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
    const environment = {
      STG_KEY_FREE: 's3cr3t-key',
      QUOTASPEC_KEY_FREE: 's3cr3t-other',
      QUOTASPEC_KEY_PRO: 's3cr3t-pro',
    }
    const options = settled(
      { ...usual, scenario: 'smoke', keys: { business: 's3cr3t-business' } },
      { keyVariables: { free: 'STG_KEY_FREE' } },
    )
    expect(prepareRun(options, environment).head.keys).toMatchObject([
      { name: 'business', variable: null },
      { name: 'free', variable: 'STG_KEY_FREE' },
      { name: 'pro', variable: 'QUOTASPEC_KEY_PRO' },
    ])
  })

  it('plans before anything is sent, and keeps the plan', () => {
    const { head, plan } = prepare()
    expect(plan.requests).toContainEqual({ key: 'free', probe: 'hello', requests: 3 })
    expect(head.planned).toEqual({ requests: plan.requests, durationMs: plan.durationMs, againMs: expect.any(Number) })
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
    expect(() => prepare({ allowLoad: true, withoutLoad: true })).toThrow(
      /options\.allowLoad and options\.withoutLoad contradict/,
    )
  })

  it('draws a seed where none is given, from those that may be given', () => {
    const { seed } = prepare({ seed: undefined }).head
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
  })

  it.each<[GivenOptions, string, readonly string[]]>([
    [{}, 'smoke', ['free']],
    [{ keys: { free: 's3cr3t-key', pro: 's3cr3t-pro' } }, 'smoke', ['free', 'pro']],
  ])('greets on every key: %j', (part, scenario, names) => {
    const { plan } = prepare(part, scenario)
    expect(plan.requests.filter(({ probe }) => probe === 'hello').map(({ key }) => key)).toEqual(names)
  })
})

describe('the command that repeats a run', () => {
  const command = (part: GivenOptions, scenario = 'smoke') => prepare(part, scenario).head.command

  it('leaves keys to the environment', () => {
    expect(command({})).toBe('quotaspec run smoke --target http://127.0.0.1:8080/v1 --seed 7')
  })

  it('holds everything else that makes a difference', () => {
    const part = {
      quotas: { enterprise: { minute: 300, day: 5_000 } },
      timeScale: 10,
      only: ['RATE-1'],
      skip: ['AUTH'],
      strict: true,
      readOnly: true,
      allowLoad: true,
    }
    expect(command(part)).toBe(
      'quotaspec run smoke --target http://127.0.0.1:8080/v1 --quota enterprise=minute:300,day:5000 --time-scale 10 ' +
        '--only RATE-1 --skip AUTH --strict --read-only --allow-load --seed 7',
    )
  })

  const ofFile = (typed: GivenOptions, inFile: GivenOptions, file: Partial<OptionSource['file']> = {}) =>
    prepareRun(settled({ ...usual, ...typed }, inFile, file), {}).head.command

  it('names the configuration file, for what no flag says, or that none was wanted', () => {
    const gates = { gates: { lost: 0 } }
    expect(ofFile({}, gates, { file: 'ci/quotaspec.yaml', environment: 'staging' })).toMatch(
      / --config ci\/quotaspec\.yaml --env staging --seed 7$/,
    )
    const none = prepareRun({ ...madeOptions({ seed: 7 }), withoutFile: true }, {})
    expect(none.head.command).toMatch(/ --no-config --seed 7$/)
  })

  it('leaves to the file what it says, and to a named environment the file that is found by itself', () => {
    const inFile = { target: 'http://127.0.0.1:8080/v1', scenario: 'smoke', timeScale: 10, allowLoad: true }
    const typed = { target: undefined, only: ['RATE-1'] }
    const staging = { environment: 'staging', isFound: true }
    expect(ofFile(typed, inFile, staging)).toBe('quotaspec run --only RATE-1 --env staging --seed 7')
    expect(ofFile(typed, inFile, { environment: 'staging' })).toContain('--config quotaspec.yaml --env staging')
    expect(ofFile({ target: undefined }, inFile, { isFound: true })).toBe(
      'quotaspec run --config quotaspec.yaml --seed 7',
    )
  })

  it.each<[GivenOptions, GivenOptions, string]>([
    [{ strict: false }, { strict: true }, ' --no-strict'],
    [{ strict: false }, {}, ''],
    [{ timeScale: 1 }, { timeScale: 10 }, ' --time-scale 1'],
    [{ timeScale: 1 }, { timeScale: 1 }, ''],
    [{ timeScale: 5 }, { timeScale: 10 }, ' --time-scale 5'],
    [{ withoutLoad: false }, { withoutLoad: true }, ' --no-without-load'],
    [{ timeouts: { head: 5 } }, { timeouts: { head: 3, run: 60 } }, ' --head-timeout 5'],
    [{ target: 'https://api.example/v1' }, { timeScale: 10, target: 'https://s.example/v1', allowLoad: true }, ''],
  ])('types again what was typed against the file: %j beside %j', (typed, inFile, words) => {
    const target = typed.target ?? 'http://127.0.0.1:8080/v1'
    expect(ofFile({ scenario: 'smoke', ...typed }, inFile, { isFound: true, environment: 'e' })).toBe(
      `quotaspec run smoke --target ${target}${words} --env e --seed 7`,
    )
  })

  it('is one that a shell takes as it stands', () => {
    expect(command({ target: "http://host/it's/v1" })).toContain(`--target 'http://host/it'\\''s/v1'`)
  })
})

describe('a configuration file', () => {
  it('has its gates go before the same ones of the scenario, beside the others', () => {
    const gates = { overAdmitted: 2, lost: 0 }
    expect(prepare({ gates }, 'release-gate').head.gates).toEqual({
      level: 'must',
      overAdmitted: 2,
      earlyRefused: 0,
      unrestored: 0,
      lost: 0,
    })
  })

  it('is noted in the run', () => {
    const { remarks } = prepareRun(settled({ ...usual, scenario: 'smoke' }, { out: 'a' }), {})
    expect(remarks).toEqual(['settings taken from quotaspec.yaml: out'])
  })

  it('names the variables that a key is missing from', () => {
    const options = settled({ ...usual, scenario: 'smoke', keys: undefined }, { keyVariables: { free: 'ACME_FREE' } })
    expect(() => prepareRun(options, {})).toThrow('no key was given: set ACME_FREE, which quotaspec.yaml names')
  })

  it('with the level should is as strict as a scenario with it', () => {
    expect(prepare({ gates: { level: 'should' } }).head.strict).toBe(true)
  })

  it.each<[GivenOptions, string]>([
    [{ only: ['RATE-99'] }, 'quotaspec.yaml: only RATE-99: no clause, area or check has that name'],
    [{ scenario: 'smoek' }, 'quotaspec.yaml: scenario: there is no scenario smoek'],
    [{ waivers: 'none.yaml' }, 'quotaspec.yaml: waivers none.yaml: there is no such file'],
    [{ ca: 'none.pem' }, "quotaspec.yaml: ca none.pem can't be used"],
  ])('is named where it says what can not be used: %j', (inFile, message) => {
    const { scenario = 'smoke', ...rest } = inFile
    expect(() => prepareRun(settled(usual, { scenario, ...rest }), {})).toThrow(message)
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
      'options.with hard-inputt: the scenario conformance plays no such probe; did you mean hard-input?',
    )
  })

  it('knows every check by its id', () => {
    for (const { id } of checks) expect(() => prepare({ only: [id.toUpperCase()] })).not.toThrow()
  })
})

describe('what can not be used is refused with what to type instead', () => {
  it.each<[string, GivenOptions, RegExp]>([
    ['no target', { target: undefined }, /^options\.target is missing: give/],
    ['no key', { keys: {} }, /no key was given: set QUOTASPEC_KEY_FREE/],
    ['a time scale of 0', { timeScale: 0 }, /^options\.timeScale must be a number above 0/],
    ['a time scale that is none', { timeScale: Number.NaN }, /^options\.timeScale must be a number/],
    ['a time scale beyond measure', { timeScale: 10_001 }, /up to 10000/],
    ['a seed below 0', { seed: -1 }, /^options\.seed must be a whole number from 0/],
    ['a fraction as seed', { seed: 1.5 }, /^options\.seed must be a whole number/],
    ['a seed beyond 2^31', { seed: 2 ** 31 }, /to 2147483647/],
    [
      'a misspelt check',
      { only: ['rate.header-present'] },
      /^options\.only rate\.header-present: .*did you mean rate\.headers-present\?/,
    ],
    [
      'a wish like nothing',
      { skip: ['everything-else-there-is'] },
      /^options\.skip everything-else-there-is: .*an id looks like RATE-5/,
    ],
    ['an Enterprise key without numbers', { keys: { enterprise: 's3cr3t-key' } }, /--quota/],
  ])('%s', (_name, part, message) => {
    expect(() => prepare(part)).toThrow(UsageError)
    expect(() => prepare(part)).toThrow(message)
  })

  it('an unknown scenario', () => {
    expect(() => prepare({}, 'smoek')).toThrow(/there is no scenario smoek: .*release-gate.*smoke/)
  })
})

describe('a run whose loads agents send', () => {
  const spreadIn = (part: GivenOptions) =>
    prepare(part, 'spread').head.probes.find(({ probe }) => probe === 'spread')?.settings

  it('plans for as many machines as it asks for, and names them in the command', () => {
    const agents = [
      { group: 'eu', count: 2 },
      { group: 'us', count: 1 },
    ]
    expect(spreadIn({ agents })).toMatchObject({ machines: 3 })
    expect(spreadIn({})).toMatchObject({ machines: 1 })
    expect(prepare({ agents }, 'spread').head.command).toContain('--agents eu=2,us=1')
  })
})
