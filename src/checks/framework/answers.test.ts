import { describe, expect, it } from 'vitest'
import type { Answered } from '../../evidence/exchange.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { isWhole, nameOf, objectOf, operationAnswers } from './answers.js'
import { breach } from './finding.js'
import { expectStatus, failedControl, judgeAnswers } from './judge-cases.js'
import { tellingCases } from './needs.js'

const made = (part: ExchangePart = {}) => madeExchange(part) as Answered
const exchanges = (...parts: readonly ExchangePart[]) => madeEvidence(parts).exchanges

describe('an answer', () => {
  it.each<[string, ExchangePart, boolean]>([
    ['as it came', {}, true],
    ['that was cut off', { truncated: true }, false],
    ['that broke off', { error: { phase: 'body', code: 'X', message: '' } }, false],
    ['in a coding that was not asked for', { headers: { 'content-encoding': 'gzip' } }, false],
    ['in no coding', { headers: { 'Content-Encoding': 'Identity' } }, true],
  ])('%s is whole or not', (_name, part, whole) => {
    expect(isWhole(made(part))).toBe(whole)
  })

  it('counts as an operation’s where it answers one', () => {
    const evidence = madeEvidence([{}, { operation: null }, { status: null }, { status: 429 }])
    expect(operationAnswers(evidence).map(({ id }) => id)).toEqual(['x1', 'x4'])
  })

  it('is called by its case, else by what was asked', () => {
    expect(nameOf(made({ intent: { case: 'a body that is cut off' } }))).toBe('a body that is cut off')
    expect(nameOf(made({ path: '/inventory/7?key=‹free key›', method: 'PATCH' }))).toBe('PATCH /v1/inventory/7')
  })

  it.each<[unknown, boolean]>([
    [{ a: 1 }, true],
    ['[]', false],
    ['{"a":', false],
    ['5', false],
    [Uint8Array.from([0x7b, 0xff]), false],
  ])('with the body %j holds an object: %s', (body, is) => {
    expect(objectOf(made({ body })) !== undefined).toBe(is)
  })
})

const need = { cases: 'cups of tea', least: 1 }
const none = madeEvidence([])

describe('judging each of several exchanges', () => {
  const look = (x: Answered) => {
    if (x.response.status === 206) return 'left-out'
    return x.response.status === 418
      ? breach('unexpected-status', { case: 'tea', expected: '200', got: 418 })
      : undefined
  }

  it.each<[string, readonly ExchangePart[], object]>([
    [
      'passes where none is a breach',
      [{}, {}, {}, {}],
      {
        verdict: 'pass',
        code: 'told',
        facts: { cases: 'cups of tea', told: 4 },
        witnesses: [{ id: 'x1' }, { id: 'x2' }, { id: 'x3' }],
      },
    ],
    [
      'fails where one is, and counts the others',
      [{}, { status: 418 }, { status: 418 }],
      { verdict: 'fail', facts: { got: 418, others: 1 }, witnesses: [{ id: 'x2' }, { id: 'x3' }] },
    ],
    [
      'fails even where another was not answered',
      [{ status: null }, { status: 418 }],
      { verdict: 'fail', witnesses: [{ id: 'x2' }] },
    ],
    [
      'is left open where one was not answered',
      [{}, { status: null }],
      {
        verdict: 'inconclusive',
        code: 'no-answer',
        facts: { detail: 'head: other side closed' },
        witnesses: [{ id: 'x2' }],
      },
    ],
    [
      'is not left open by one that was answered when it was asked again',
      [{ status: null }, { asksAgain: 'x1' }],
      { verdict: 'pass', facts: { told: 1 }, witnesses: [{ id: 'x2' }] },
    ],
    [
      'is left open by one that had no answer when it was asked again',
      [{}, { status: null }, { status: null, asksAgain: 'x2' }],
      { verdict: 'inconclusive', code: 'no-answer', witnesses: [{ id: 'x3' }] },
    ],
    [
      'is left open where a gateway stood in',
      [{}, { status: 503 }],
      { verdict: 'inconclusive', code: 'no-answer', facts: { detail: 'status 503' } },
    ],
    [
      'is left open where there is nothing',
      [],
      { verdict: 'inconclusive', code: 'not-told', facts: { told: 0, needed: 1 } },
    ],
    [
      'leaves out what can’t be read, and counts it',
      [{}, { status: 206 }],
      { verdict: 'pass', facts: { told: 1, leftOut: 1 } },
    ],
    [
      'is left open where nothing could be read',
      [{ status: 206 }],
      { verdict: 'inconclusive', code: 'not-told', facts: { told: 0, leftOut: 1 } },
    ],
  ])('%s', (_name, parts, finding) => {
    expect(judgeAnswers(tellingCases(none, need), exchanges(...parts), look)).toMatchObject(finding)
  })
})

describe('a gateway that stands in for the service', () => {
  it.each([
    [502, 'inconclusive'],
    [503, 'inconclusive'],
    [504, 'inconclusive'],
    [500, 'fail'],
    [501, 'fail'],
  ])('is seen by its status: %d is %s', (status, verdict) => {
    const any = () => breach('unexpected-status', { case: 'tea', expected: '200', got: status })
    expect(judgeAnswers(tellingCases(none, need), exchanges({ status }), any).verdict).toBe(verdict)
  })
})

describe('expecting one status', () => {
  it('is left open by a 429 that stayed, before anything else', () => {
    const finding = expectStatus(tellingCases(none, need), exchanges({ status: 200 }, { status: 429 }), 401)
    expect(finding).toMatchObject({ verdict: 'inconclusive', code: 'no-answer', witnesses: [{ id: 'x2' }] })
  })

  it('names what was expected and what came', () => {
    const finding = expectStatus(
      tellingCases(none, need),
      exchanges({ status: 401 }, { status: 403, intent: { case: 'odd' } }),
      401,
    )
    expect(finding).toMatchObject({ verdict: 'fail', facts: { case: 'odd', expected: '401', got: 403, others: 0 } })
  })
})

describe('a control', () => {
  it('has to have been sent and accepted, each one', () => {
    expect(failedControl(exchanges({}, {}))).toBeUndefined()
    expect(failedControl([])).toMatchObject({
      verdict: 'inconclusive',
      code: 'control-failed',
      facts: { control: 'none was sent' },
    })
    expect(failedControl(exchanges({}, { status: 403 }))).toMatchObject({ facts: { got: '403' } })
    expect(failedControl(exchanges({ status: null }))).toMatchObject({ facts: { got: 'no answer' } })
  })
})
