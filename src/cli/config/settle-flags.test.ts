import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import type { ConfigSection } from '../../run/options/config-schema.js'
import type { Configuration } from '../../run/options/load-config.js'
import type { GivenFlags } from '../../run/options/run-flags.js'
import { withPlace } from '../../run/options/settings-as-flags.js'
import { settleFlags } from './settle-flags.js'

const staging = 'https://staging.example/v1'
const production = 'https://api.example/v1'

const file = (section: ConfigSection, part: Partial<Configuration> = {}): Configuration => ({
  ...section,
  file: 'quotaspec.yaml',
  environments: [],
  placeOf: (field) => `quotaspec.yaml:${Object.keys(section).indexOf(field) + 1}`,
  ...part,
})

describe('flags go before the file, and the file before what is usual', () => {
  it.each<[keyof GivenFlags, GivenFlags, ConfigSection, unknown]>([
    ['scenario', {}, {}, 'release-gate'],
    ['scenario', {}, { scenario: 'smoke' }, 'smoke'],
    ['scenario', { scenario: 'ban' }, { scenario: 'smoke' }, 'ban'],
    ['out', {}, {}, 'reports/latest'],
    ['out', {}, { out: 'reports/staging' }, 'reports/staging'],
    ['out', { out: 'mine' }, { out: 'reports/staging' }, 'mine'],
    ['time-scale', {}, {}, 1],
    ['time-scale', {}, { timeScale: 10 }, 10],
    ['time-scale', { 'time-scale': 5 }, { timeScale: 10 }, 5],
    ['strict', {}, {}, false],
    ['strict', {}, { strict: true }, true],
    ['strict', { strict: false }, { strict: true }, false],
    ['read-only', {}, { readOnly: true }, true],
    ['long-windows', {}, { longWindows: true }, true],
    ['without-rejected-keys', {}, { withoutRejectedKeys: true }, true],
    ['only', {}, { only: ['RATE'] }, ['RATE']],
    ['only', { only: ['AUTH'] }, { only: ['RATE'] }, ['AUTH']],
    ['skip', {}, {}, []],
    ['quota', {}, { quotas: { enterprise: { minute: 300, day: 5_000 } } }, ['enterprise=minute:300,day:5000']],
    [
      'quota',
      { quota: ['enterprise=minute:1,day:2'] },
      { quotas: { enterprise: { minute: 300, day: 5_000 } } },
      ['enterprise=minute:1,day:2'],
    ],
    ['contract', {}, { contract: 'acme.yaml' }, 'acme.yaml'],
    ['waivers', {}, { waivers: 'known.yaml' }, 'known.yaml'],
    ['head-timeout', {}, { timeouts: { head: 3 } }, 3],
    ['time-limit', { 'time-limit': 9 }, { timeouts: { run: 600 } }, 9],
    ['ca', {}, { ca: 'ca.pem' }, 'ca.pem'],
    ['ca', { insecure: true }, { ca: 'ca.pem' }, undefined],
    ['out', { resume: 'reports/day' }, { out: 'reports/staging' }, 'reports/latest'],
  ])('%s of %j and %j', (flag, given, section, value) => {
    expect(settleFlags(given, file(section))[flag]).toEqual(value)
  })

  it('and without a file they are what they were', () => {
    expect(settleFlags({ target: staging }, undefined)).toEqual({
      target: staging,
      scenario: 'release-gate',
      key: [],
      quota: [],
      'time-scale': 1,
      out: 'reports/latest',
      only: [],
      skip: [],
      strict: false,
      'read-only': false,
      'allow-load': false,
      'without-load': undefined,
    })
  })
})

describe('what the command that repeats a run says of its file', () => {
  it.each<[GivenFlags, ConfigSection, readonly string[], readonly string[]]>([
    [{}, { target: staging, strict: true }, ['target', 'strict'], []],
    [{ target: production }, { target: staging, allowLoad: true, timeScale: 10 }, ['time-scale'], []],
    [{ strict: false }, { strict: true }, [], ['--no-strict']],
    [{ strict: false }, {}, [], []],
    [{ 'allow-load': false }, { target: staging, allowLoad: true }, ['target'], ['--no-allow-load']],
    [{ 'without-load': false }, { withoutLoad: true }, [], ['--no-without-load']],
    [{ 'time-scale': 1 }, { timeScale: 10 }, [], ['--time-scale 1']],
    [{ 'time-scale': 1 }, { timeScale: 1 }, [], []],
    [{ 'time-scale': 5 }, { timeScale: 10 }, [], []],
  ])('%j beside %j', (given, section, standsFor, takenBack) => {
    const flags = settleFlags({ target: section.target ? undefined : staging, ...given }, file(section))
    expect(flags.configUse).toMatchObject({ standsFor, takenBack })
  })
})

describe('leave for load that the file gives', () => {
  it.each<[string, GivenFlags, ConfigSection, boolean, boolean | undefined]>([
    ['is for its own target', {}, { target: staging, allowLoad: true }, true, undefined],
    [
      'is for the same one, named by a flag',
      { target: `${staging}/` },
      { target: staging, allowLoad: true },
      true,
      undefined,
    ],
    [
      'is for no other that a flag names',
      { target: production },
      { target: staging, allowLoad: true },
      false,
      undefined,
    ],
    ['is for none where the file names none', { target: production }, { allowLoad: true }, false, undefined],
    [
      'is taken back by --no-allow-load',
      { 'allow-load': false },
      { target: staging, allowLoad: true },
      false,
      undefined,
    ],
    ['is taken back by --without-load', { 'without-load': true }, { target: staging, allowLoad: true }, false, true],
    ['is not there unless it is said', {}, { target: staging }, false, undefined],
    ['is taken back by a file that does without', {}, { target: staging, withoutLoad: true }, false, true],
    ['goes behind --allow-load', { 'allow-load': true }, { target: staging, withoutLoad: true }, true, undefined],
  ])('%s', (_, given, section, allowLoad, withoutLoad) => {
    const settled = settleFlags(given, file(section))
    expect([settled['allow-load'], settled['without-load']]).toEqual([allowLoad, withoutLoad])
  })

  it('and is not for this target is told, with its line and what to type', () => {
    const { configUse } = settleFlags({ target: production }, file({ target: staging, allowLoad: true }))
    expect(configUse?.remarks[1]).toBe(
      `quotaspec.yaml:2: allowLoad is not for ${production}, which the file does not name beside it: --allow-load lets load go there`,
    )
    const here = settleFlags({ target: 'http://127.0.0.1:1/v1' }, file({ target: staging, allowLoad: true }))
    expect(here.configUse?.remarks).toHaveLength(1)
  })
})

describe('what a file stands for', () => {
  it('are the flags that nobody typed', () => {
    const section = { target: staging, allowLoad: true, timeScale: 10 }
    expect(settleFlags({}, file(section)).configUse?.standsFor).toEqual(['target', 'allow-load', 'time-scale'])
    expect(settleFlags({ 'time-scale': 5 }, file(section)).configUse?.standsFor).toEqual(['target', 'allow-load'])
    expect(settleFlags({ target: production }, file(section)).configUse?.standsFor).toEqual(['time-scale'])
  })
})

describe('what was taken from the file is said', () => {
  it.each<[GivenFlags, ConfigSection, string | undefined, string]>([
    [{}, { target: staging, out: 'a', gates: { lost: 0 } }, undefined, 'quotaspec.yaml: target, out, gates'],
    [{ out: 'b' }, { target: staging, out: 'a' }, 'staging', 'quotaspec.yaml, environment staging: target'],
    [{ target: production }, { target: staging, allowLoad: true }, undefined, 'quotaspec.yaml: none'],
  ])('%j and %j of %s', (given, section, environment, words) => {
    const { configUse } = settleFlags(given, file(section, { environment }))
    expect(configUse?.remarks[0]).toBe(`settings taken from ${words}`)
  })
})

it('a file with a target in its environments alone wants one of them chosen', () => {
  expect(() => settleFlags({}, file({}, { environments: ['local', 'staging'] }))).toThrow(
    'quotaspec.yaml names no target outside of its environments: choose one with --env local or --env staging, or give --target URL',
  )
})

describe('an error of a flag that nobody typed names the line of the file', () => {
  const from = file({ target: staging, only: ['RATE-99'], scenario: 'smoek', timeouts: { run: 1 } })
  it.each<[string, GivenFlags, string]>([
    ['--only RATE-99: no clause', {}, 'quotaspec.yaml:2: only: --only RATE-99: no clause'],
    ['--only RATE-99: no clause', { only: ['RATE-99'] }, '--only RATE-99: no clause'],
    ['there is no scenario smoek', {}, 'quotaspec.yaml:3: scenario: there is no scenario smoek'],
    ['--time-limit 1: seconds', {}, 'quotaspec.yaml:4: timeouts: --time-limit 1: seconds'],
    ['--seed 1.5: a whole number', {}, '--seed 1.5: a whole number'],
    ['--out x: can not be written', {}, '--out x: can not be written'],
  ])('%s given %j', (message, given, told) => {
    expect(withPlace(new UsageError(message), from, given)).toEqual(new UsageError(told))
  })
})
