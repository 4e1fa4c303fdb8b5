import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Document, parseDocument } from 'yaml'
import { UsageError } from '../../kit/usage-error.js'
import { apiContract } from '../api-contract.js'
import { loadContract } from './load-contract.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-odd-'))
afterAll(() => rmSync(folder, { recursive: true }))

const whole = {
  quotaspec: 1,
  name: 'acme',
  credentials: { free: { scheme: 'bearer', env: 'ACME_KEY_FREE' }, anon: { scheme: 'none' } },
  requests: {
    items: { method: 'GET', path: '/items', headers: { Accept: '*/*' }, expect: [200] },
    search: { method: 'POST', path: '/search', body: 'a', safe: true },
  },
  headers: [{ name: 'X-Reset', is: 'reset', as: 'epoch-s', level: 'must' }],
  retryAfter: { as: ['seconds'], level: 'must' },
  refusals: [{ is: 'quota', status: [429, 403], when: { 'x-remaining': '0' }, body: 'limit', lasts: '5m' }],
  quotas: [
    {
      id: 'core',
      by: 'credential',
      limit: { free: 60 },
      window: '1m',
      requests: ['items', 'search'],
      models: ['gcra'],
      burst: 40,
      exact: { over: '5%', early: '2%' },
      cost: { search: 5 },
      level: 'must',
    },
  ],
}

type Path = readonly (string | number)[]

const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [
        path,
        ...Object.entries(value).flatMap(([key, each]) =>
          pathsIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ]

/** Stands for a field that is not there. */
const absent = Symbol('absent')

const odd: readonly unknown[] = [
  absent,
  null,
  true,
  0,
  -1,
  1.5,
  Number.POSITIVE_INFINITY,
  '',
  'x',
  '__proto__',
  '\u0000',
  [],
  [[]],
  [null],
  {},
  { constructor: 1 },
]

const load = (text: string) => {
  const file = join(folder, 'acme.yaml')
  writeFileSync(file, text)
  return loadContract(file)
}

/** What is wrong with how a text is taken; undefined where it loads, or is refused in one line with its place. */
const objection = async (text: string): Promise<string | undefined> => {
  try {
    const { contract } = await load(text)
    apiContract.parse(JSON.parse(JSON.stringify(contract)))
    return undefined
  } catch (error) {
    const { message } = error as Error
    const isSentence = error instanceof UsageError && /^\S+acme\.yaml:\d+: \S[^\n]+$/.test(message)
    return isSentence ? undefined : `${message}\n${text}`
  }
}

describe('a contract file', () => {
  it('with nothing odd in it loads', async () => {
    expect((await load(new Document(whole).toString())).contract.name).toBe('acme')
  })

  it.each(pathsIn(whole).map((path) => [path.join('.') || 'the file', path] as const))(
    'is read, or refused in one sentence with its line, whatever stands at %s',
    async (_, path) => {
      for (const value of odd) {
        const document = parseDocument(new Document(whole).toString())
        if (path.length === 0)
          document.contents = document.createNode(value === absent ? '' : value) as typeof document.contents
        else if (value === absent) document.deleteIn(path)
        else document.setIn(path, value)
        expect(await objection(document.toString())).toBeUndefined()
      }
    },
  )

  it.each([
    '',
    '\n',
    '# nothing\n',
    '{}',
    '[]',
    '&a [*a]',
    '? {a: 1}\n: 2\n',
    'a: &a\n  b: *a\n',
    '--- 1\n--- 2\n',
    '%YAML 9\n---\na: 1\n',
    '<<: {a: 1}\n',
  ])('is refused in one sentence where it is %j', async (text) => {
    expect(await objection(text)).toBeUndefined()
  })
})
