import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { apiContract } from '../api-contract.js'
import { modelNames } from '../limiter-models.js'
import { loadContract } from './load-contract.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-contract-'))
afterAll(() => rmSync(folder, { recursive: true }))

const load = (text: string) => {
  const file = join(folder, 'acme.yaml')
  writeFileSync(file, text)
  return loadContract(file)
}

const small = (rest: string, quota = '') => `quotaspec: 1
name: acme
credentials: {free: {scheme: bearer, env: ACME_KEY_FREE}, anon: {scheme: none}}
requests: {items: {path: /items}, search: {path: '/search?q=a'}}
${rest}
quotas:
  - {id: core, limit: 60, window: 1m, requests: [items]${quota}}
`

const settled = async (rest: string, quota = '') => (await load(small(rest, quota))).contract

describe('a contract file', () => {
  it('is settled: what is not said has its default, and what is said its meaning', async () => {
    const { contract, ...rest } = await load(small(''))
    expect(rest).toEqual({ notes: [] })
    expect(contract).toEqual({
      name: 'acme',
      credentials: { free: { scheme: 'bearer', env: 'ACME_KEY_FREE' }, anon: { scheme: 'none' } },
      requests: {
        items: { method: 'GET', path: '/items', headers: {}, expect: [] },
        search: { method: 'GET', path: '/search?q=a', headers: {}, expect: [] },
      },
      headers: [],
      retryAfter: null,
      refusals: [{ is: 'quota', status: [429], when: {} }],
      quotas: [
        {
          id: 'core',
          by: 'credential',
          limit: { free: 60, anon: 60 },
          windowMs: 60_000,
          requests: ['items'],
          models: modelNames,
          exact: { over: 0, early: 0 },
          cost: {},
          level: 'must',
        },
      ],
    })
  })

  it('holds what a run records, and no more', async () => {
    const contract = await settled('headers: x-ratelimit-epoch\nretryAfter: {as: seconds}')
    expect(apiContract.parse(JSON.parse(JSON.stringify(contract)))).toEqual(contract)
  })

  it.each([
    ['bearer', { scheme: 'bearer' }],
    ['basic', { scheme: 'basic' }],
    ['header X-Api-Key', { scheme: 'header', name: 'X-Api-Key' }],
    ['query api_key', { scheme: 'query', name: 'api_key' }],
    ['cookie session', { scheme: 'cookie', name: 'session' }],
  ])('has a credential shown as %s', async (scheme, spec) => {
    const text = small('').replace('scheme: bearer', `scheme: ${scheme}`)
    expect((await load(text)).contract.credentials.free).toEqual({ ...spec, env: 'ACME_KEY_FREE' })
  })

  it.each([
    ['true', { over: 0, early: 0 }],
    ['at-most', { over: 0, early: null }],
    ['at-least', { over: null, early: 0 }],
    ['{over: 5%, early: 2%}', { over: 0.05, early: 0.02 }],
    ['{over: 0.5%}', { over: 0.005, early: 0 }],
    ['{over: any, early: 2%}', { over: null, early: 0.02 }],
    ['{over: 5%, early: any}', { over: 0.05, early: null }],
  ])('calls a quota exact: %s', async (exact, meaning) => {
    expect((await settled('', `, exact: ${exact}`)).quotas[0].exact).toEqual(meaning)
  })

  it.each([
    ['1s', 1_000],
    ['30s', 30_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['31d', 31 * 86_400_000],
  ])('has a window of %s', async (window, windowMs) => {
    const text = small('').replace('window: 1m', `window: ${window}`)
    expect((await load(text)).contract.quotas[0].windowMs).toBe(windowMs)
  })

  it('limits the credentials that a quota names, and no others', async () => {
    const text = small('').replace('limit: 60', 'limit: {free: 300}')
    expect((await load(text)).contract.quotas[0].limit).toEqual({ free: 300 })
  })

  it('keeps a burst, a cost, a policy, a level and a partition', async () => {
    const quota = ', by: address, models: gcra, burst: 40, cost: {items: 5}, policy: hour, level: should'
    expect((await settled('headers: draft-11', quota)).quotas[0]).toMatchObject({
      by: 'address',
      models: ['gcra'],
      burst: 40,
      cost: { items: 5 },
      policy: 'hour',
      level: 'should',
    })
  })

  it('has a preset at its own level, or at one that it says', async () => {
    const levels = async (text: string) => (await settled(text)).headers.map(({ level }) => level)
    expect(await levels('headers: draft-11')).toEqual(['should', 'should'])
    expect(await levels('headers: {preset: draft-11, level: must}')).toEqual(['must', 'must'])
    expect(await levels('headers: {preset: draft-11}')).toEqual(['should', 'should'])
    expect(await levels('headers: none')).toEqual([])
  })

  it('lists headers of its own', async () => {
    const headers =
      'headers: [{name: X-Shop, is: used/limit}, {name: x-reset, is: reset, as: duration, level: observe}]'
    expect((await settled(headers)).headers).toEqual([
      { name: 'X-Shop', is: 'used/limit', level: 'must' },
      { name: 'x-reset', is: 'reset', as: 'duration', level: 'observe' },
    ])
  })

  it('says what Retry-After is', async () => {
    expect((await settled('retryAfter: {as: seconds, level: should}')).retryAfter).toEqual({
      as: ['seconds'],
      level: 'should',
    })
    expect((await settled('retryAfter: {}')).retryAfter).toEqual({ as: ['seconds', 'http-date'], level: 'must' })
    expect((await settled('retryAfter: none')).retryAfter).toBeNull()
    expect((await settled('retryAfter: {as: seconds, name: X-Wait}')).retryAfter?.name).toBe('X-Wait')
  })

  it('says what clients that wait may count on, and which fields refusals lack', async () => {
    expect((await settled('backoff: none')).backoff).toBe('none')
    expect((await settled('backoff: should')).backoff).toBe('should')
    expect(await settled('headers: none')).not.toHaveProperty('backoff')
    const [field] = (await settled('headers: [{name: X-Left, is: remaining, on: served}]')).headers
    expect(field).toEqual({ name: 'X-Left', is: 'remaining', on: 'served', level: 'must' })
  })

  it('tells refusals by status, header and body, and headers by what was typed', async () => {
    const refusals = `refusals:
  - {is: ban, status: 403, body: blocked, lasts: 5m, atLeast: 4m}
  - {is: quota, status: [429, 403], when: {X-RateLimit-Remaining: 0, x-code: 007}}`
    expect((await settled(refusals)).refusals).toEqual([
      { is: 'ban', status: [403], when: {}, body: 'blocked', lastsMs: 300_000, leastMs: 240_000 },
      { is: 'quota', status: [429, 403], when: { 'x-ratelimit-remaining': '0', 'x-code': '007' } },
    ])
  })

  it('may send what changes nothing, whatever its method, once it says so', async () => {
    const text = small('').replace(
      'path: /items',
      'path: /items, method: POST, body: "{}", expect: [200, 404], safe: true',
    )
    expect((await load(text)).contract.requests.items).toEqual({
      method: 'POST',
      path: '/items',
      headers: {},
      body: '{}',
      expect: [200, 404],
    })
  })

  it.each([
    ['2s', '{name: x-reset, is: reset, as: epoch-s}', true],
    ['2s', '{name: RateLimit, is: draft-07}', true],
    ['2s', '{name: x-reset, is: reset, as: epoch-ms}', true],
    ['2s', '{name: x-reset, is: reset, as: epoch-s, on: served}', false],
    ['2s', '{name: x-left, is: remaining}', false],
    ['4s', '{name: x-reset, is: reset, as: epoch-s}', false],
  ])('with a window of %s and %s is noted as one that may not settle RATE-6: %s', async (window, field, isNoted) => {
    const { notes } = await load(small(`headers: [${field}]`).replace('window: 1m', `window: ${window}`))
    expect(notes.map((each) => each.replace(/.*(quotas.*): RATE-6.*/, '$1'))).toEqual(
      isNoted ? ['quotas.0.window: a Reset in whole seconds says little about a window below 3.0 s'] : [],
    )
  })

  it('notes a quota that those beside never let be spent', async () => {
    const text = small('').replace(
      /quotas:.*/s,
      'quotas:\n  - {id: all, limit: 20, window: 1m, requests: [items]}\n  - {id: own, by: credential+request, limit: 5, window: 1m, requests: [items]}\n',
    )
    const { notes } = await load(text)
    expect(notes).toEqual([
      expect.stringContaining('quotas.0.limit: the other quotas let its requests spend only 5 of 20 in a window'),
    ])
  })

  it('is still read where it calls its requests probes, with one line of notice', async () => {
    const today = small('', ', by: credential+request')
    const before = small('', ', by: credential+probe').replaceAll('requests:', 'probes:')
    const { contract, notes } = await load(before)
    expect(contract).toEqual((await load(today)).contract)
    expect(notes).toEqual([
      `${folder}/acme.yaml:4: probes is the old name of requests: rename it (quotaspec still reads the old name)`,
    ])
    await expect(load(before.replace('path: /items', 'paht: /items'))).rejects.toThrow(
      'acme.yaml:4: requests.items.paht is not a field of a contract',
    )
  })

  it('is read from the journals of runs whose contract called its requests probes', async () => {
    const contract = await settled('', ', by: credential+request')
    const { requests: probes, quotas, ...rest } = contract
    const before = {
      ...rest,
      probes,
      quotas: quotas.map(({ requests, ...quota }) => ({ ...quota, probes: requests, by: 'credential+probe' })),
    }
    expect(apiContract.parse(before)).toEqual(contract)
  })
})
