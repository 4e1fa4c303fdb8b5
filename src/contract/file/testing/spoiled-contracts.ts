import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UsageError } from '../../../kit/usage-error.js'
import { loadContract } from '../load-contract.js'

/** A valid contract. The messages of the tests count its lines. */
export const good = `quotaspec: 1
name: acme
credentials:
  free: {scheme: bearer, env: ACME_KEY_FREE}
  pro: {scheme: header X-Api-Key, env: ACME_KEY_PRO}
  anon: {scheme: none}
requests:
  items: {method: GET, path: '/items?limit=1', expect: 200}
  search: {method: GET, path: '/search?q=a'}
headers:
  - {name: X-RateLimit-Limit, is: limit}
  - {name: X-RateLimit-Reset, is: reset, as: epoch-s}
retryAfter: {as: [seconds, http-date], level: must}
refusals:
  - {is: ban, status: 403, body: blocked, lasts: 5m}
  - {is: quota, status: 429}
quotas:
  - id: core
    by: credential
    limit: {free: 60, pro: 300, anon: 10}
    window: 1m
    requests: [items, search]
    models: any
    exact: true
    cost: {search: 5}
    level: must
`

/** The part of `good` that begins with `first`, up to `next` or the end. */
export const from = (first: string, next?: string): string =>
  good.slice(good.indexOf(first), next === undefined ? undefined : good.indexOf(next))

/** The one sentence that refuses a contract, without the folder. */
const refusal = async (folder: string, text: string): Promise<string> => {
  const file = join(folder, 'acme.yaml')
  writeFileSync(file, text)
  const error: unknown = await loadContract(file).then(
    () => undefined,
    (cause) => cause,
  )
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message.replace(`${folder}/`, '')
}

/** A title, what to replace in `good`, by what, and the sentence that refuses the result. */
type Bad = readonly [what: string, old: string, spoiled: string, sentence: string]

/** One test for each contract with one error. */
export const refusalTable = (bad: readonly Bad[]): void => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-bad-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  it.each(bad)('%s', async (_, old, spoiled, sentence) => {
    expect(good).toContain(old)
    expect(await refusal(folder, good.replace(old, spoiled))).toBe(sentence)
  })
}
