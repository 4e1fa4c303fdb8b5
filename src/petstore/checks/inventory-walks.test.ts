import { describe, expect, it } from 'vitest'
import type { Check } from '../../checks/framework/check.js'
import { passesOnNothing } from '../../checks/testing/passes-on-nothing.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import {
  modelAbsentRefused,
  modelAgrees,
  modelInvalidRefused,
  modelRefusedUnchanged,
  modelValidUpdates,
} from './inventory-walks.js'

const probe = 'model-walk'

const list = (step: 'before' | 'control-reading' | 'read' | 'end', one: number, two = 3): ExchangePart => ({
  probe,
  step,
  body: [
    { petId: 1, quantity: one, status: 'sold' },
    { petId: 2, quantity: two, status: 'sold' },
  ],
})

const patch = (step: string, quantity: number | '', status: number | null, part: ExchangePart = {}): ExchangePart => ({
  probe,
  step,
  operation: 'updateInventory',
  intent: { petId: '1', quantity: String(quantity) },
  sent: `{"quantity":${quantity === '' ? 'null' : quantity}}`,
  status,
  body: status === 200 ? { petId: 1, quantity: quantity === '' ? 0 : quantity, status: 'sold' } : { code: 'x' },
  ...part,
})

const quiet = [list('before', 5), list('control-reading', 5)]

const judged = (check: Check, ...parts: ExchangePart[]) => {
  const { verdict, code, facts, witnesses } = check.judge(madeEvidence([...quiet, ...parts]))
  return { verdict, code, walk: facts.walk, witnesses: [...witnesses] }
}

describe('what random walks show', () => {
  const row = [
    ...[...quiet, patch('control', 7, 200), list('end', 7)],
    ...[patch('invalid', '', 400), patch('absent', 6, 404, { path: '/inventory/99' }), list('end', 7)],
  ]
  for (const check of [
    modelAbsentRefused,
    modelAgrees,
    modelInvalidRefused,
    modelRefusedUnchanged,
    modelValidUpdates,
  ]) {
    passesOnNothing(check, [[`a walk is kept (${check.id})`, madeEvidence(row)]])
  }
})

describe('what an update was answered', () => {
  it('passes where random valid updates are accepted and shown', () => {
    const row = [patch('valid', 7, 200), list('read', 7), patch('loose', 900, 400), list('end', 7)]
    expect(judged(modelValidUpdates, ...row)).toMatchObject({ verdict: 'pass', code: 'told' })
    expect(judged(modelAgrees, ...row)).toMatchObject({ verdict: 'pass', code: 'told' })
    expect(judged(modelRefusedUnchanged, ...row)).toMatchObject({ verdict: 'pass', code: 'told' })
  })

  it('fails with the last walk that breaks it, told up to where it breaks', () => {
    const row = [
      ...[patch('valid', 7, 200), patch('valid', 8, 400), list('end', 7)],
      ...[patch('valid', 9, 400), list('end', 7)],
      ...[patch('valid', 6, 200), list('end', 6)],
    ]
    expect(judged(modelValidUpdates, ...row)).toEqual({
      verdict: 'fail',
      code: 'walk-update-refused',
      walk: 'PATCH /inventory/1 {"quantity":9} (400)',
      witnesses: [{ id: 'x6' }, { id: 'x5' }],
    })
  })

  it('is left open where it came to no answer', () => {
    const row = [patch('valid', 7, null), list('end', 7)]
    expect(judged(modelValidUpdates, ...row)).toMatchObject({ verdict: 'inconclusive', code: 'no-answer' })
  })

  it('is not tested where every quantity was refused as out of bounds', () => {
    const row = [patch('loose', 700, 400), list('end', 5)]
    expect(judged(modelValidUpdates, ...row)).toMatchObject({ verdict: 'not-tested', code: 'all-bounds-refused' })
    expect(judged(modelAgrees, ...row)).toMatchObject({ verdict: 'not-tested', code: 'all-bounds-refused' })
  })
})

describe('what has to be refused', () => {
  const control = [patch('control', 6, 200), list('end', 6)]
  const absent = { path: '/inventory/99', intent: { petId: '99', quantity: '6' } }

  it('passes where it is, and fails where it is not, each under its own clause', () => {
    const good = [...control, patch('invalid', '', 400), patch('absent', 6, 404, absent), list('end', 6)]
    expect(judged(modelInvalidRefused, ...good).verdict).toBe('pass')
    expect(judged(modelAbsentRefused, ...good).verdict).toBe('pass')
    const bad = [...control, patch('invalid', '', 200), patch('absent', 6, 404, absent), list('end', 0)]
    expect(judged(modelInvalidRefused, ...bad)).toMatchObject({
      verdict: 'fail',
      code: 'walk-not-refused',
      witnesses: [{ id: 'x5' }, { id: 'x4' }],
    })
    const other = [...control, patch('absent', 6, 400, absent), list('end', 6)]
    expect(judged(modelAbsentRefused, ...other)).toMatchObject({
      verdict: 'fail',
      witnesses: [{ id: 'x5' }, { id: 'x4' }],
    })
    expect(judged(modelAbsentRefused, ...bad).verdict).toBe('pass')
    expect(judged(modelRefusedUnchanged, ...bad).verdict).toBe('pass')
    expect(judged(modelAgrees, ...bad).verdict).toBe('pass')
  })

  it('proves nothing beside a control that was not accepted', () => {
    const row = [patch('control', 6, 500), list('end', 5), patch('invalid', '', 200), list('end', 0)]
    expect(judged(modelInvalidRefused, ...row)).toMatchObject({ verdict: 'inconclusive', code: 'control-failed' })
  })

  it('is left open where the draw held none of it', () => {
    const row = [...control, patch('invalid', '', 400), list('end', 6)]
    expect(judged(modelAbsentRefused, ...row)).toMatchObject({ verdict: 'inconclusive', code: 'not-told' })
  })
})

describe('what a reading shows', () => {
  const lost = (quantity: number) => [patch('valid', quantity, 200), list('end', 5)]
  const applied = [patch('invalid', '', 400), list('end', 777)]
  const control = [patch('control', 6, 200), list('end', 6)]

  it('fails where the model and the list part twice', () => {
    expect(judged(modelAgrees, ...lost(7), ...lost(8))).toMatchObject({
      verdict: 'fail',
      code: 'walk-disagrees',
      walk: 'PATCH /inventory/1 {"quantity":8} (200), GET /inventory (200)',
    })
    expect(judged(modelRefusedUnchanged, ...control, ...applied, ...control, ...applied)).toMatchObject({
      verdict: 'fail',
      code: 'walk-refused-but-changed',
    })
  })

  it('is left open where it was seen once only: it may have been somebody else', () => {
    expect(judged(modelAgrees, ...lost(7))).toMatchObject({ verdict: 'inconclusive', code: 'walk-not-repeated' })
    const row = [...control, ...applied]
    expect(judged(modelRefusedUnchanged, ...row)).toMatchObject({ verdict: 'inconclusive', code: 'walk-not-repeated' })
  })

  it('is left open where something moves with nothing sent: somebody else writes', () => {
    const row = [...lost(7), list('control-reading', 9), patch('valid', 8, 200), list('end', 9)]
    expect(judged(modelAgrees, ...row)).toMatchObject({
      verdict: 'inconclusive',
      code: 'somebody-else-writes',
      witnesses: [{ id: 'x4' }, { id: 'x5' }],
    })
  })
})
