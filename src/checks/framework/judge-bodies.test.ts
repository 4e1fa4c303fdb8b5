import { describe, expect, it } from 'vitest'
import type { Answered } from '../../evidence/exchange.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { unreadBecause } from './answers.js'
import { judgeBodies } from './judge-cases.js'
import { tellingCases } from './needs.js'

const failed = (code: string) => ({ phase: 'body', code, message: '' }) as const
const closed = { error: failed('UND_ERR_SOCKET') }
const late = { error: failed('UND_ERR_BODY_TIMEOUT') }
const long = { 'Content-Length': '900' }

/** With what the harness made of its coding. */
const coded = (coding: 'undone' | 'unreadable' | undefined, name: string, body: unknown = '[]'): Answered => {
  const x = madeExchange({ headers: { 'content-encoding': name }, body }) as Answered
  return { ...x, response: { ...x.response, body: { ...x.response.body, ...(coding ? { coding } : {}) } } }
}
const made = (part: ExchangePart) => madeExchange(part) as Answered

describe('why a body can not be read', () => {
  it.each<[string, Answered, ReturnType<typeof unreadBecause>]>([
    ['it can', made({}), undefined],
    ['it can, its coding undone', coded('undone', 'gzip'), undefined],
    ['its coding is no coding', coded(undefined, 'Identity'), undefined],
    ['its coding is unknown, and its bytes are no text', coded('unreadable', 'zebra', Uint8Array.of(0xff)), 'coded'],
    ['it is not in the coding that it names', coded('unreadable', 'gzip'), 'coded'],
    ['it is text under the name of an unknown coding', coded('unreadable', 'utf-8'), 'mislabelled'],
    ['nobody tried, in an older run', coded(undefined, 'gzip'), 'cut-by-us'],
    ['the harness has a limit', made({ truncated: true, error: failed('BODY_TOO_LONG') }), 'cut-by-us'],
    ['the run was interrupted', made({ error: failed('INTERRUPTED') }), 'cut-by-us'],
    ['the connection was closed', made({ body: '[', ...closed }), 'broken-off'],
    ['it did not end in time', made({ body: '[', ...late, headers: long }), 'cut-by-us'],
    [
      'it was there in time, and its length had promised more',
      made({ body: '[]', ...late, headers: long }),
      'broken-off',
    ],
  ])('%s', (_name, x, because) => {
    expect(unreadBecause(x)).toBe(because)
  })
})

describe('judging bodies', () => {
  const broken = { body: '[', ...closed }
  const cut = { body: '[', truncated: true }
  const slow = { body: '[', ...late, headers: long }
  const many = (count: number): ExchangePart[] => Array.from({ length: count }, () => ({}))
  const need = { cases: 'cups of tea', least: 1 }

  it.each<[string, readonly ExchangePart[], object]>([
    ['passes over one that broke off', [{}, broken], { verdict: 'pass', facts: { told: 1, leftOut: 1 } }],
    ['is told nothing by one alone', [broken], { verdict: 'inconclusive', facts: { leftOut: 1 } }],
    [
      'fails where each breaks off',
      [broken, broken],
      { verdict: 'fail', code: 'bodies-break-off', facts: { broken: 2, answers: 2, operation: 'listInventory' } },
    ],
    ['fails where most do', [broken, {}, broken], { verdict: 'fail', witnesses: [{ id: 'x1' }, { id: 'x3' }] }],
    ['passes over half of them', [broken, {}, broken, {}], { verdict: 'pass', facts: { leftOut: 2 } }],
    ['counts none that the harness cut', [broken, {}, cut, broken], { verdict: 'fail', facts: { answers: 3 } }],
    [
      'counts each kind of answer by itself',
      [{}, {}, {}, { ...broken, status: 404 }, { ...broken, status: 404 }],
      { verdict: 'fail', facts: { status: 404, broken: 2, answers: 2 } },
    ],
    [
      'does not pass over one that was too long, where others of its kind are not',
      [{}, {}, cut],
      { verdict: 'inconclusive', code: 'bodies-unread', facts: { unread: 1, bodies: 3, tooLong: 1 } },
    ],
    [
      'passes over one of many that did not end in time',
      [...many(20), slow],
      { verdict: 'pass', facts: { leftOut: 1 } },
    ],
    [
      'does not pass over a twentieth of them',
      [...many(19), slow],
      { verdict: 'inconclusive', code: 'bodies-unread', facts: { unread: 1, bodies: 20, tooLong: 0 } },
    ],
    ['never fails for what the harness cut', [cut, cut, cut], { verdict: 'inconclusive', facts: { leftOut: 3 } }],
  ])('%s', (_name, parts, finding) => {
    const evidence = madeEvidence(parts)
    expect(judgeBodies(tellingCases(evidence, need), evidence.exchanges, () => undefined)).toMatchObject(finding)
  })
})
