import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ApiContract } from '../../contract/api-contract.js'
import { settleOptions } from '../../run/options/settle-options.js'
import {
  type ConfiguredArgs,
  configuredRun,
  flagSource,
  missingKeys,
  type RunArgs,
  refuseMissingKeys,
  withKeyVariables,
} from './configured-run.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-configured-'))
afterAll(() => rmSync(folder, { recursive: true }))

const target = 'https://staging.example/v1'

/** The options of flags beside a file that names these variables. */
const settled = (keyVariables: Readonly<Record<string, string>>, args: RunArgs = {}) =>
  settleOptions([
    flagSource({ target, ...args }),
    {
      values: { keyVariables },
      nameOf: ([, name]) => `quotaspec.yaml:1: keys.${String(name)}`,
      file: { file: 'quotaspec.yaml' },
    },
  ])

describe('the variables of keys that a configuration names', () => {
  it('leave a plan without a key where they are not set: that of another environment is not taken', () => {
    const [missing, ...others] = missingKeys(settled({ free: 'PROD_FREE' }), { QUOTASPEC_KEY_FREE: 'of-staging' })
    expect(others).toEqual([])
    expect(missing?.told).toBe(
      'the plan free has no key: PROD_FREE, which quotaspec.yaml names, is not set in the environment',
    )
  })

  it('refuse a run where one is not set, unless a flag gives that key', () => {
    const keys = { free: 'ACME_FREE', pro: 'ACME_PRO' }
    const missing = missingKeys(settled(keys), { ACME_FREE: 'acme-free', ACME_PRO: '' })
    const refuse = (args: RunArgs) => () => refuseMissingKeys(missing, settled(keys, args))
    expect(refuse({})).toThrow(
      'the plan pro has no key: ACME_PRO, which quotaspec.yaml names, is not set in the environment: set it, or remove it from keys',
    )
    expect(refuse({ key: ['free=x'] })).toThrow('ACME_PRO')
    expect(refuse({ key: ['pro=secret'] })).not.toThrow()
    expect(refuse({ 'key-file': 'keys' })).not.toThrow()
    expect(() => refuseMissingKeys([], settled(keys))).not.toThrow()
  })

  it('go before those of a contract', () => {
    const contract: ApiContract = {
      name: 'acme',
      credentials: { user: { scheme: 'bearer', env: 'ACME_USER' }, anon: { scheme: 'none' } },
      requests: {},
      headers: [],
      retryAfter: null,
      refusals: [],
      quotas: [],
    }
    expect(withKeyVariables(contract, settled({ user: 'STAGING_USER' })).credentials).toEqual({
      user: { scheme: 'bearer', env: 'STAGING_USER' },
      anon: { scheme: 'none' },
    })
    expect(() => withKeyVariables(contract, settled({ usr: 'STAGING_USER' }))).toThrow(
      'quotaspec.yaml:1: keys.usr: the contract acme has no credential usr: did you mean user?',
    )
  })

  it('of a plan that there is not are refused', () => {
    expect(() => missingKeys(settled({ fre: 'ACME_FREE' }), {})).toThrow(
      'quotaspec.yaml:1: keys.fre: there is no plan fre: did you mean free?',
    )
  })
})

describe('flags', () => {
  it.each<[RunArgs, string]>([
    [{ 'time-scale': 0 }, '--time-scale must be a number above 0'],
    [{ 'head-timeout': -1 }, '--head-timeout must be a number of seconds, from 0.01 to 86400'],
    [{ 'time-limit': Number.NaN }, '--time-limit must be a number'],
    [{ only: [''] }, '--only must not be empty'],
    [{ 'allow-load': true, 'without-load': true }, '--allow-load and --without-load contradict each other'],
    [{ agents: 'eu' }, '--agents eu: "eu" is not NAME=COUNT'],
    [{ redis: 'redis://:s3cret@h' }, '--redis works only with --agents: add --agents'],
    [{ 'agents-within': 5 }, '--agents-within works only with --agents'],
  ])('are refused by their names: %j', (args, message) => {
    const settle = () => settleOptions([flagSource({ target, ...args })])
    expect(settle).toThrow(message)
    expect(settle).not.toThrow(/s3cret/)
  })

  it('come to the options that they stand for', () => {
    const args = { key: ['free=a', 'pro=b=c'], quota: ['enterprise=minute:3,day:5'], agents: 'eu=2', 'time-limit': 9 }
    expect(settleOptions([flagSource({ target, ...args })]).options).toMatchObject({
      keys: [
        { name: 'free', secret: 'a' },
        { name: 'pro', secret: 'b=c' },
      ],
      quotas: { enterprise: { minute: 3, day: 5 } },
      agents: [{ group: 'eu', count: 2 }],
      timeouts: { run: 9 },
    })
  })
})

describe('a configuration file', () => {
  const write = (text: string): string => {
    const path = join(folder, 'own.yaml')
    writeFileSync(path, text)
    return path
  }
  const configured = async (text: string, args: ConfiguredArgs = {}) =>
    (await configuredRun({ config: write(text), quiet: true, ...args })).settled.options

  it('says what no flag says; one that a run goes on in writes where it began', async () => {
    const text = `target: ${target}\nout: reports\nscenario: smoke\n`
    expect(await configured(text, { scenario: 'ban' })).toMatchObject({ target, scenario: 'ban' })
    expect((await configured(text)).out).toBe(join(folder, 'reports'))
    expect((await configured(text, { resume: 'reports/day' })).out).toBe('reports/latest')
  })

  it('with a target in its environments alone wants one of them chosen', async () => {
    const text = `environments: {local: {target: ${target}}, staging: {target: ${target}}}\n`
    await expect(configured(text)).rejects.toThrow(
      /names no target outside of its environments: choose one with --env local or --env staging, or give --target URL/,
    )
    expect(await configured(text, { env: 'local' })).toMatchObject({ target })
  })

  it('is named with its line where its contract is not there', async () => {
    await expect(configured(`target: ${target}\ncontract: no-such-one\n`)).rejects.toThrow(
      /own\.yaml:2: contract: there is no contract no-such-one/,
    )
  })
})
