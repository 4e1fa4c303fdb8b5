import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const names = ['quotaspec', 'scenario', 'contract', 'waivers', 'client-cases'] as const

type FileName = (typeof names)[number]

const root = fileURLToPath(new URL('../../../', import.meta.url))
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { date: /^\d{4}-\d\d-\d\d$/ } })

const published = (name: FileName): object =>
  JSON.parse(readFileSync(join(root, 'schema', `${name}.schema.json`), 'utf8'))

const validators = new Map(names.map((name) => [name, ajv.compile(published(name))]))

/** What somebody else's validator has against a text of YAML, by the published schema. */
const objections = (name: FileName, text: string): string[] => {
  const validate = validators.get(name)
  if (!validate || validate(parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const yamlIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => join(folder, path))
    .sort()

const shipped = [...yamlIn('scenarios'), ...yamlIn('contracts')]

const kindOf = (path: string): FileName => {
  if (path.startsWith('contracts')) return 'contract'
  if (path.endsWith('/quotaspec.yaml')) return 'quotaspec'
  return path.includes('clients') ? 'client-cases' : 'scenario'
}

/** The whole files that a page shows: those that begin with the line for editors. */
const shownIn = (page: string): [string, FileName, string][] =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(
      /```yaml\n(# yaml-language-server: .*\/([a-z-]+)\.schema\.json\n[\s\S]*?)```/g,
    ),
  ].map(([, text, published]): [string, FileName, string] => [
    page,
    names.find((name) => name === published) ?? 'quotaspec',
    text,
  ])

const shown = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => shownIn(join('docs', name)))

describe('a validator of somebody else accepts', () => {
  it.each(shipped)('%s, by the schema that its first line names', (path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const [, named] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    expect(named).toBeDefined()
    expect(join(root, dirname(path), named ?? '')).toBe(join(root, 'schema', `${kindOf(path)}.schema.json`))
    expect(existsSync(join(root, dirname(path), named ?? ''))).toBe(true)
    expect(objections(kindOf(path), text)).toEqual([])
  })

  it.each(shown)('what %s shows as a file of %s', (_page, name, text) => {
    expect(objections(name, text)).toEqual([])
  })

  it('files of waivers', () => {
    const waiver = 'waivers: [{gate: overAdmitted, target: "*", reason: known, owner: ann, until: 2026-12-31}]'
    expect(objections('waivers', waiver)).toEqual([])
  })

  it('something of each kind that a page can show', () => {
    expect(new Set(shown.map(([, name]) => name))).toEqual(new Set(['quotaspec', 'contract', 'scenario']))
    expect(shipped.length).toBeGreaterThan(20)
  })
})

describe('and refuses what the loader refuses', () => {
  const head = 'name: mine\ndescription: d\nprobes:\n  - probe: hello\n'
  it.each<[string, FileName, string]>([
    ['a misspelt setting', 'scenario', `${head}  - probe: burst\n    overshot: 2\n`],
    ['a setting out of bounds', 'scenario', `${head}  - probe: burst\n    overshoot: 11\n`],
    ['an unknown probe', 'scenario', `${head}  - probe: brust\n`],
    ['a misspelt gate', 'scenario', `${head}gates: {overAdmited: 0}\n`],
    ['a gate of one plan that is misspelt', 'scenario', `${head}gates: {plans: {free: {losst: 0}}}\n`],
    ['no probes', 'scenario', 'name: mine\ndescription: d\nprobes: []\n'],
    ['a misspelt field', 'quotaspec', 'targt: http://127.0.0.1/v1\n'],
    ['one in an environment', 'quotaspec', 'environments: {staging: {targt: http://127.0.0.1/v1}}\n'],
    ['an environment in an environment', 'quotaspec', 'environments: {staging: {environments: {}}}\n'],
    ['a key in place of its variable', 'quotaspec', 'keys: {free: my-secret-key}\n'],
    [
      'a waiver of two things',
      'waivers',
      'waivers: [{gate: lost, clause: RATE-1, target: a, reason: b, owner: c, until: 2026-12-31}]\n',
    ],
    ['a case without an answer', 'client-cases', 'name: a\ndescription: b\ncases: [{id: a, title: b}]\n'],
    ['a contract without quotas', 'contract', 'quotaspec: 1\nname: a\ncredentials: {}\nprobes: {}\n'],
  ])('%s', (_, name, text) => {
    expect(objections(name, text)).not.toEqual([])
  })
})
