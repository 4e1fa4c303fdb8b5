import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { loadConfig } from './config-file.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'quotaspec.yaml')

const load = (text: string, environment?: string) => {
  writeFileSync(file, text)
  return loadConfig(file, environment)
}

/** The sentence with which a file is refused, without the folder. */
const refusal = (text: string, environment?: string): string => {
  try {
    load(text, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message.replaceAll(`${folder}/`, '')
  }
  throw new Error('nothing was thrown')
}

const good = `scenario: smoke
keys: {free: ACME_FREE}
environments:
  local: {target: http://127.0.0.1:8080/v1}
  staging:
    target: https://staging.example/v1
    scenario: gates/release.yaml
    keys: {pro: ACME_PRO}
    allowLoad: true
`

describe('a configuration', () => {
  it('outside of its environments is what stands at its top', () => {
    expect(load(good)).toMatchObject({
      values: { scenario: 'smoke', keyVariables: { free: 'ACME_FREE' } },
      environments: ['local', 'staging'],
    })
    expect(load(good).values.target).toBeUndefined()
  })

  it('in an environment has what that says besides', () => {
    expect(load(good, 'staging')).toMatchObject({
      values: {
        target: 'https://staging.example/v1',
        keyVariables: { free: 'ACME_FREE', pro: 'ACME_PRO' },
        allowLoad: true,
      },
      file: { environment: 'staging' },
    })
  })

  it('knows the line of each of its fields, in the environment first', () => {
    const { nameOf } = load(good, 'staging')
    const fields = [['scenario'], ['keyVariables', 'free'], ['allowLoad'], ['out']]
    expect(fields.map((each) => nameOf(each).replace(`${folder}/`, ''))).toEqual([
      'quotaspec.yaml:7: scenario',
      'quotaspec.yaml:2: keys.free',
      'quotaspec.yaml:9: allowLoad',
      'quotaspec.yaml: out',
    ])
  })

  it('has paths that lead from where it is, and names that stay names', () => {
    const paths = 'contract: acme.yaml\nscenario: release-gate\nout: reports\nwaivers: ../known.yaml\nca: ca.pem\n'
    mkdirSync(join(folder, 'ci'), { recursive: true })
    writeFileSync(join(folder, 'ci', 'own.yaml'), paths)
    expect(loadConfig(join(folder, 'ci', 'own.yaml')).values).toMatchObject({
      contract: join(folder, 'ci', 'acme.yaml'),
      scenario: 'release-gate',
      out: join(folder, 'ci', 'reports'),
      waivers: join(folder, 'known.yaml'),
      ca: join(folder, 'ci', 'ca.pem'),
    })
    expect(load(good, 'staging').values.scenario).toBe(join(folder, 'gates/release.yaml'))
  })

  it('is what docs/reference/configuration.md shows, in each of its environments', () => {
    const page = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8')
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const leave = ['local', 'staging', 'production'].map((name) => load(example, name).values.allowLoad)
    expect(leave).toEqual([undefined, true, undefined])
    expect(load(example, 'staging').values.gates).toEqual({ 'latencyMs.admitted.p99': 250 })
  })

  it('that is empty of settings is one all the same', () => {
    expect(load('environments: {}\n')).toMatchObject({ environments: [] })
  })
})

describe('a configuration is refused with file, line and field', () => {
  it.each([
    [
      'a misspelt field',
      'targt: http://127.0.0.1/v1\n',
      'quotaspec.yaml:1: targt is not a field of a configuration: did you mean target?',
    ],
    [
      'a flag in place of a field',
      'allow-load: true\n',
      'quotaspec.yaml:1: allow-load is not a field of a configuration: did you mean allowLoad?',
    ],
    [
      'a misspelt field of an environment',
      'environments:\n  staging:\n    sceanrio: smoke\n',
      'quotaspec.yaml:3: environments.staging.sceanrio is not a field of a configuration: did you mean scenario?',
    ],
    [
      'a misspelt gate',
      'gates: {overAdmited: 0}\n',
      'quotaspec.yaml:1: gates.overAdmited is not a field of a configuration: did you mean overAdmitted?',
    ],
    [
      'no address',
      'target: staging\n',
      'quotaspec.yaml:1: target: must be an address such as https://staging.example/v1',
    ],
    ['a text for a switch', 'strict: sometimes\n', 'quotaspec.yaml:1: strict: must be true or false'],
    [
      'a half quota',
      'quotas: {enterprise: {minute: 300}}\n',
      'quotaspec.yaml:1: quotas.enterprise.day: is missing: it must be a number',
    ],
    ['a list', '- smoke\n', 'quotaspec.yaml:1: the file must be fields with their values'],
  ])('%s', (_, text, sentence) => {
    expect(refusal(text)).toBe(sentence)
  })

  it.each([
    ['stagin', '--env stagin: quotaspec.yaml has no such environment: did you mean staging?'],
    ['europe-west', '--env europe-west: quotaspec.yaml has no such environment: known are local, staging'],
    ['toString', '--env toString: quotaspec.yaml has no such environment: known are local, staging'],
  ])('the environment %s is not there', (name, sentence) => {
    expect(refusal(good, name)).toBe(sentence)
  })

  it('an environment of a file without any', () => {
    expect(refusal('scenario: smoke\n', 'staging')).toBe(
      '--env staging: quotaspec.yaml has no environments: remove --env',
    )
  })

  it('a file that is not there', () => {
    expect(() => loadConfig(join(folder, 'none.yaml'))).toThrow(/^--config .*none\.yaml: there is no such file$/)
  })
})

describe('a secret is refused, with its line, and never shown', () => {
  const secret = 'hunter2-Xk39'
  it.each([
    ['as the value of a key', `keys:\n  free: ${secret}\n`, 2],
    ['as a flag takes it', `scenario: smoke\nkey: free=${secret}\n`, 2],
    ['in a list of them', `key:\n  - free=${secret}\n`, 2],
    ['as a list of keys', `keys:\n  - pro=${secret}\n`, 2],
    ['as the name of a key', `keys:\n  free=${secret}: ACME\n`, 2],
    ['in a field that nobody knows', `apiKey: ${secret}\n`, 1],
    ['under the name of its variable', `QUOTASPEC_KEY_FREE: ${secret}\n`, 1],
    ['in the address', `target: https://me:${secret}@staging.example/v1\n`, 1],
    ['in an environment', `environments:\n  staging:\n    keys: {free: ${secret}}\n`, 3],
    ['as a header', `scenario: "Bearer ${secret}"\n`, 1],
    ['in place of a path', `scenario: smoke\nout: free=${secret}\n`, 2],
  ])('%s', (_, text, line) => {
    const sentence = refusal(text)
    expect(sentence).not.toContain(secret)
    expect(sentence).toMatch(new RegExp(`^quotaspec\\.yaml:${line}: .*variable`))
  })

  it.each([
    'sk-proj-abcdefghij0123456789',
    'ghp_abcdefghij0123456789',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOi.eyJzdWIiOi.x',
  ])('the token %s of a known issuer, wherever it stands', (token) => {
    expect(refusal(`waivers: ${token}\n`)).toMatch(/^quotaspec\.yaml:1: this looks like a secret/)
    expect(refusal(`keys: {free: ${token}}\n`)).not.toContain(token)
  })

  it('a credential that is called token may name its variable', () => {
    expect(load('keys: {token: ACME_TOKEN}\n').values.keyVariables).toEqual({ token: 'ACME_TOKEN' })
  })
})
