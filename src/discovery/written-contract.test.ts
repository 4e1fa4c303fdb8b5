import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readWindow } from '../cli/discover/discover-api.js'
import type { CredentialSpec } from '../contract/api-contract.js'
import { loadContract } from '../contract/file/load-contract.js'
import type { HeaderLine } from '../evidence/exchange.js'
import { conclude } from './conclude.js'
import { type Discovered, withGiven } from './discovered.js'
import type { SeenAnswer } from './seen-fields.js'
import { writeContract } from './write-contract.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-discover-'))
afterAll(() => rmSync(folder, { recursive: true }))

const wallStartMs = Date.UTC(2026, 0, 15, 10, 30, 23)
const seen = (headersOf: (nth: number) => readonly HeaderLine[], anonymous = 0): SeenAnswer[] =>
  Array.from({ length: 6 + anonymous }, (_, nth) => ({
    probe: nth === 3 ? 'search' : 'items',
    credential: nth < 6 ? 'key' : null,
    sentAt: nth * 500,
    receivedAt: nth * 500 + 10,
    status: 200,
    headers: headersOf(nth),
  }))

const credential: CredentialSpec = { scheme: 'header', name: 'X-Api-Key', env: 'ACME_KEY' }
const asked = {
  target: 'https://api.acme.example/v1',
  credentials: { key: credential },
  requests: { items: { path: '/items?limit=1&q="a"', status: 200 }, search: { path: '/search', status: 200 } },
  asked: 6,
}
const textOf = (answers: readonly SeenAnswer[], fill = (found: Discovered) => found) =>
  writeContract(asked, fill(conclude(answers, wallStartMs, ['items', 'search'])))

const loaded = async (text: string) => {
  const file = join(folder, 'contract.yaml')
  writeFileSync(file, text)
  return (await loadContract(file)).contract
}

const epoch = (nth: number): HeaderLine[] => [
  ['X-RateLimit-Limit', '60'],
  ['X-RateLimit-Remaining', String(59 - nth)],
  ['X-RateLimit-Reset', String(Math.ceil(wallStartMs / 1000) + 60)],
]
const policies = (nth: number): HeaderLine[] => [
  ['RateLimit-Policy', '"per min";q=50;w=60, "perday";q=1000;w=86400'],
  ['RateLimit', `"per min";r=${49 - nth};t=30, "perday";r=${800 - nth};t=400`],
]
const shop = (nth: number): HeaderLine[] => [['X-Shop-Call-Limit', `${nth + 1}/40`]]

describe('a contract file that was written from answers', () => {
  it('is read as it was concluded', async () => {
    const contract = await loaded(textOf(seen(epoch)))
    expect(contract).toMatchObject({
      name: 'acme',
      credentials: { key: { scheme: 'header', name: 'X-Api-Key', env: 'ACME_KEY' } },
      requests: { items: { method: 'GET', path: '/items?limit=1&q="a"', expect: [200] } },
      headers: [{ is: 'limit' }, { is: 'remaining' }, { is: 'reset', as: 'epoch-s', level: 'must' }],
      retryAfter: { as: ['seconds', 'http-date'], level: 'observe' },
      refusals: [{ is: 'quota', status: [429] }],
      quotas: [{ id: 'core', by: 'credential', limit: { key: 60 }, windowMs: 60_000, requests: ['items', 'search'] }],
    })
  })

  it('has a quota for each policy, with its name', async () => {
    const { headers, quotas } = await loaded(textOf(seen(policies)))
    expect(headers.map(({ is }) => is)).toEqual(['draft-11-policy', 'draft-11'])
    expect(quotas).toMatchObject([
      { id: 'per-min', limit: { key: 50 }, windowMs: 60_000, policy: 'per min' },
      { id: 'perday', limit: { key: 1000 }, windowMs: 86_400_000, policy: 'perday' },
    ])
  })

  it('is refused where it is not known, with the line to fill in, and read once that is given', async () => {
    const text = textOf(seen(shop))
    expect(text).toContain('NOT KNOWN, and not guessed: write what the documentation says, such as window: 1m')
    await expect(loaded(text)).rejects.toThrow(/window/)
    const contract = await loaded(textOf(seen(shop), (found) => withGiven({ windowMs: 20_000 }, found, ['key'])))
    expect(contract.headers).toEqual([{ name: 'X-Shop-Call-Limit', is: 'used/limit', level: 'must' }])
    expect(contract.quotas[0]).toMatchObject({ limit: { key: 40 }, windowMs: 20_000 })
  })

  it('says above each line what it was concluded from, and at its top what is not known', () => {
    const lines = textOf(seen(epoch)).split('\n')
    const above = (line: string) => lines[lines.indexOf(line) - 1].trim()
    expect(above('    limit: 60')).toBe('# answers to key showed a limit of 60')
    expect(above('    by: credential')).toBe('# the usual case; one credential alone does not show it')
    expect(above('headers: x-ratelimit-epoch')).toMatch(/^# X-RateLimit-Reset: \d+ is 60 s ahead of your clock/)
    expect(lines).toContain('# - whether two credentials have a count of their own: only one was used')
  })

  it.each(['a\nquotaspec: 2', 'a # b: [', '\u001b[31m', `${'9'.repeat(2000)}`])(
    'is whole whatever the target writes: %j',
    async (value) => {
      const hostile = (nth: number): HeaderLine[] => [...epoch(nth), ['X-RateLimit-Used', value]]
      const text = textOf(seen(hostile))
      expect(text).not.toContain('\u001b')
      expect(await loaded(text)).toMatchObject({ name: 'acme' })
    },
  )

  it('names no secret: only the variable that it is to be in', () => {
    expect(textOf(seen(epoch))).toContain('key: {scheme: header X-Api-Key, env: ACME_KEY}')
  })
})

describe('what is given', () => {
  it('goes behind what is shown', () => {
    const found = conclude(seen(epoch), wallStartMs, ['items'])
    expect(withGiven({ limit: 5, windowMs: 3_600_000 }, found, ['key']).quotas).toEqual(found.quotas)
  })

  it.each(['60', '1w', '99d'])('the window %s is refused', (window) => {
    expect(() => readWindow(window)).toThrow(`--window ${window}: `)
  })
})
