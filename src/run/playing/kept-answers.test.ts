import { describe, expect, it } from 'vitest'
import { namedHeaders } from '../../contract/api-contract.js'
import type { Exchange } from '../../evidence/exchange.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { collectGarbage } from '../../kit/testing/collect-garbage.js'
import { madeContract } from '../../readings/testing/made-contract.js'
import { keptAnswers } from './run-log.js'

const kept = (answers: ReturnType<typeof keptAnswers>, part: ExchangePart): NonNullable<Exchange['response']> => {
  const { response } = answers.keep(madeExchange(part))
  if (!response) throw new Error('it was answered')
  return response
}

const room = { bodies: 100_000, values: 1_000, headers: 6_000 }
const long = (letter: string) => letter.repeat(40_000)

describe('what is kept of answers', () => {
  it('is all of each, as long as there is room', () => {
    const x = madeExchange({ body: long('a'), headers: { 'X-Some': 'thing' } })
    const answers = keptAnswers(room)
    expect(answers.keep(x)).toEqual(x)
    expect(answers.keep(madeExchange({ status: null }))).toEqual(madeExchange({ status: null }))
    expect(answers.told()).toEqual([])
  })

  it('is the beginning of a body once there is none, and says so', () => {
    const answers = keptAnswers(room)
    for (const letter of ['a', 'b', 'c', 'd']) kept(answers, { body: long(letter) })
    const { body } = kept(answers, { body: long('e') })
    expect(body).toEqual({ encoding: 'utf8', content: 'e'.repeat(16_384), bytes: 40_000, truncated: true })
    expect(kept(answers, { body: 'short' }).body.content).toBe('short')
    expect(answers.told()).toEqual([
      'of 3 answers only the first 16 KiB of the body were kept, to limit the size of the run',
    ])
  })

  it('is each body once, however often it comes', () => {
    const answers = keptAnswers(room)
    const bodies = Array.from({ length: 50 }, () => kept(answers, { body: long('a') }).body)
    expect(new Set(bodies).size).toBe(1)
    expect(kept(answers, { body: long('a'), truncated: true }).body).not.toBe(bodies[0])
    expect(answers.told()).toEqual([
      '1 answer had a body that was too long, or had too many values, to be read completely',
    ])
  })

  it('is a body of few values rather than one of many', () => {
    const answers = keptAnswers(room)
    expect(kept(answers, { body: `[${'0,'.repeat(20_000)}0]` }).body.truncated).toBe(true)
    expect(kept(answers, { body: long('a') }).body.truncated).toBe(false)
  })

  it.each(['é', '\u0001', '\\'])('counts %j as long as the journal writes it', (character) => {
    const answers = keptAnswers(room)
    expect(kept(answers, { body: character.repeat(40_000) }).body.truncated).toBe(character === '\u0001')
    expect(kept(answers, { body: long('a') }).body.truncated).toBe(character !== '\u0001')
  })

  it('is the headers that checks read, once there is no room for more', () => {
    const answers = keptAnswers(room)
    const filler = (from: number) => Array.from({ length: 20 }, (_, at) => [`X-Filler-${from + at}`, 'x'] as const)
    const told = [
      ['x-ratelimit-limit', '60'],
      ['Retry-After', '9'.repeat(900)],
      ['retry-after', '2'],
    ] as const
    expect(kept(answers, { headers: [...filler(0), ...told] }).headers).toHaveLength(24)
    expect(kept(answers, { headers: [...filler(0), ...told] }).headers).toHaveLength(24)
    expect(kept(answers, { headers: [...filler(100), ...told] }).headers).toEqual([
      ['Content-Type', 'application/json'],
      ['x-ratelimit-limit', '60'],
      ['Retry-After', '9'.repeat(500)],
      ['retry-after', '2'],
    ])
    expect(answers.told()).toEqual([
      'of 1 answer only the headers that checks read were kept, to limit the size of the run',
    ])
  })

  it('is what the contract of the run names too: without it every answer would seem to lack its fields', () => {
    const contract = madeContract(['RateLimit draft-11', 'X-Left remaining'], {
      retryAfter: { name: 'X-Wait', as: ['seconds'], level: 'must' },
      refusals: [{ is: 'quota', status: [403], when: { 'X-Over': 'yes' } }],
    })
    const answers = keptAnswers({ ...room, headers: 0 }, namedHeaders(contract))
    const named = { ratelimit: '"a";r=4;t=9', 'X-LEFT': '4', 'x-wait': '9', 'X-Over': 'yes' }
    const { headers } = kept(answers, { headers: { ...named, 'X-Filler': 'x' } })
    expect(headers).toEqual([['Content-Type', 'application/json'], ...Object.entries(named)])
  })

  it('does not hold on to what it cut', async () => {
    const answers = keptAnswers({ bodies: 0, values: 0, headers: 0 })
    const heap = async () => {
      await collectGarbage()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const before = await heap()
    const held = Array.from({ length: 40 }, (_, nth) => kept(answers, { body: String(nth) + 'x'.repeat(2 ** 20) }))
    expect((await heap()) - before).toBeLessThan(20)
    expect(held).toHaveLength(40)
  })
})
