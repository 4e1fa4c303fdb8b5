import { describe, expect, it } from 'vitest'
import { fail, inconclusive, pass } from '../checks/framework/finding.js'
import { notOverAdmitted, notRefusedEarly } from '../checks/quota/limit-kept.js'
import { plansApart } from '../checks/quota/plans-apart.js'
import { spellingsCheck } from '../checks/quota/spellings.js'
import { retryAfterHonest } from '../checks/throttle/retry-after-honest.js'
import { madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { errorBodyCheck, statusAgrees } from '../petstore/checks/errors.js'
import { lackingQuantity, refusalsChangeNothing, refusedWrite } from '../petstore/checks/inventory-refusals.js'
import { remainingByOperation } from '../petstore/checks/remaining-by-operation.js'
import type { CheckResult } from '../run/judge.js'
import type { Finding } from '../verdict/verdict.js'
import { followsFrom } from './follows-from.js'

type AnyResult = Parameters<typeof followsFrom>[1]

const result = (check: object, finding: Finding): AnyResult =>
  ({ check, level: 'must', finding }) as CheckResult as never

const spelt = (operation: 'updateInventory' | 'listInventory', spelling: string): ExchangePart => ({
  id: 'x9',
  operation,
  status: 200,
  intent: { spelling },
})
const refused: ExchangePart = { id: 'x8', status: 429 }

const run = { keys: [madeKey('free'), madeKey('pro')] }
const opened = result(spellingsCheck, fail('spelling-opens-quota', { plan: 'free' }, { id: 'x8' }, { id: 'x9' }))
const over = (plan: string) => result(notOverAdmitted, fail('no-limiter-explains', { plan, plans: [{ plan }] }))

const nothing = { told: 0, needed: 1, missing: [], leftOut: 0 }
const noRefusedWrite = result(refusedWrite, inconclusive('not-told', nothing))
const untold = (...behind: string[]) => result(remainingByOperation, inconclusive('operation-untold', { behind }))
const noSpelling = result(spellingsCheck, inconclusive('not-told', nothing))

const patch = spelt('updateInventory', 'a PATCH of another pet')
const disguised = spelt('listInventory', 'another Accept')

describe('an inconclusive check', () => {
  it.each<[string, readonly ExchangePart[], AnyResult, readonly AnyResult[], string | null]>([
    ['follows from the PATCH that has a quota of its own', [refused, patch], noRefusedWrite, [opened], 'QUOTA-6'],
    ['stands alone where a disguise opened one', [refused, disguised], noRefusedWrite, [opened], null],
    ['stands alone where nothing failed', [refused, patch], noRefusedWrite, [], null],
    [
      'stands alone where refusals could not be read',
      [refused, patch],
      result(refusedWrite, inconclusive('not-told', { ...nothing, leftOut: 1 })),
      [opened],
      null,
    ],
    [
      'follows where Remaining jumps behind that PATCH',
      [refused, patch],
      untold('updateInventory'),
      [opened],
      'QUOTA-6',
    ],
    [
      'stands alone where it jumps elsewhere too',
      [refused, patch],
      untold('getPet', 'updateInventory'),
      [opened],
      null,
    ],
    ['stands alone where it jumps nowhere', [refused, patch], untold(), [opened], null],
    ['follows from a limit that refused nothing', [{ status: 200 }], noRefusedWrite, [over('free')], 'QUOTA-1'],
    ['the same of other spellings', [{ status: 200 }], noSpelling, [over('free')], 'QUOTA-1'],
    ['stands alone where another plan is broken', [{ status: 200 }], noRefusedWrite, [over('pro')], null],
    ['stands alone where the key was refused', [refused], noRefusedWrite, [over('free')], null],
    [
      'follows from what it names itself',
      [refused],
      result(notRefusedEarly, inconclusive('broken-the-other-way', { plan: 'free', clause: 'QUOTA-1' })),
      [over('free')],
      'QUOTA-1',
    ],
    [
      'follows from the plan that it names',
      [refused],
      result(spellingsCheck, inconclusive('plain-quota-open', { plan: 'pro' })),
      [over('pro')],
      'QUOTA-1',
    ],
    [
      'stands alone where that plan is open itself',
      [refused],
      result(spellingsCheck, inconclusive('plain-quota-open', { plan: 'free' })),
      [over('pro')],
      null,
    ],
    [
      'stands alone where its quota is open for another reason',
      [refused],
      result(notRefusedEarly, inconclusive('quota-not-judged', { plan: 'pro', reason: 'answers-lost' })),
      [over('pro')],
      null,
    ],
    [
      'follows from the key that another one spends',
      [refused],
      result(notRefusedEarly, inconclusive('held-by-another-key', { plan: 'free' })),
      [result(plansApart, fail('held-back-by-another-plan', { plan: 'free' }))],
      'QUOTA-4',
    ],
    ['is none where it passes', [refused, patch], result(refusedWrite, pass('told', nothing)), [opened], null],
  ])('%s', (_, parts, check, others, clause) => {
    expect(followsFrom(madeEvidence(parts, { run }), check, [check, ...others])).toEqual(
      clause === null ? [] : [clause],
    )
  })
})

it('a check that a broken limit leaves open follows from all that say so, of whichever plan', () => {
  const early = result(notRefusedEarly, fail('no-limiter-explains', { plan: 'free', plans: [{ plan: 'free' }] }))
  const open = result(spellingsCheck, inconclusive('plain-quota-open', { plan: 'pro' }))
  expect(followsFrom(madeEvidence([refused], { run }), open, [open, over('pro'), early])).toEqual([
    'QUOTA-1',
    'QUOTA-2',
  ])
})

describe('a check of what follows a refusal, where none came', () => {
  const loaded = (...keys: readonly string[]) =>
    keys.map((key) => madeLedger([{ sentMs: 1 }], { id: `burst-${key}`, key }))
  const doubt = result(retryAfterHonest, inconclusive('not-told', nothing))

  it.each<[string, readonly string[], readonly AnyResult[], readonly string[]]>([
    ['follows where each key under load admits too much', ['pro'], [over('pro')], ['QUOTA-1']],
    ['stands alone where one of them does not', ['free', 'pro'], [over('pro')], []],
    ['stands alone where nothing was put under load', [], [over('pro')], []],
  ])('%s', (_, keys, others, clauses) => {
    const evidence = madeEvidence([{ status: 200 }], { run, ledgers: loaded(...keys) })
    expect(followsFrom(evidence, doubt, [doubt, ...others])).toEqual(clauses)
  })
})

describe('a doubt beside answers that fail another clause', () => {
  const body = (status: number) => ({ code: 'c', message: 'm', status })
  const answer = (probe: string, status: number, part: ExchangePart = {}): ExchangePart => ({
    id: `x${status}`,
    probe,
    status,
    body: body(status),
    ...part,
  })
  const follows = (parts: readonly ExchangePart[], failing: AnyResult['check'], open: AnyResult['check']) => {
    const probes = ['invalid-bodies', 'unknown-pet', 'no-key'].map((probe) => ({ probe, settings: {} }))
    const evidence = madeEvidence(parts, { run: { ...run, probes } as never })
    const [failure, doubt] = [failing, open].map((check) => result(check, check.judge(evidence)))
    return [
      failure?.finding.verdict,
      doubt?.finding.verdict,
      doubt && followsFrom(evidence, doubt, [failure, doubt]).join(),
    ]
  }
  const unread = { code: 'c', message: 'm' }
  const errors = (part: ExchangePart, notFound = 404) => [
    answer('invalid-bodies', 400),
    answer('no-key', 401, part),
    answer('unknown-pet', notFound),
  ]

  it.each<[string, readonly ExchangePart[], unknown]>([
    ['follows where their status could not be read', errors({ body: unread }), 'ERR-1'],
    ['stands alone where a 404 never came either', errors({ body: unread }, 410), ''],
    [
      'stands alone where a body that failed nothing is lacking too',
      [...errors({ body: unread }, 410), answer('unknown-pet', 404, { body: '', truncated: true })],
      '',
    ],
  ])('of the error bodies %s', (_, parts, clause) => {
    expect(follows(parts, errorBodyCheck, statusAgrees)).toEqual(['fail', 'inconclusive', clause])
  })

  const list = (step: string, id: string, quantity = 5, probe = 'invalid-bodies'): ExchangePart => ({
    id,
    probe,
    step,
    body: [{ petId: 1, quantity, status: 'available' }],
  })
  const patch = (step: string, id: string, status: number, named: string, probe = 'invalid-bodies'): ExchangePart => ({
    id,
    probe,
    step,
    status,
    operation: 'updateInventory',
    intent: { case: named, petId: '1' },
  })
  const around = (quantityAfter: number, invalid: number): ExchangePart[] => [
    list('before', 'a1'),
    patch('control', 'a2', 200, 'control'),
    patch('lacking', 'a3', 422, 'an empty object'),
    patch('lacking', 'a4', 422, 'no body at all'),
    patch('invalid', 'a5', invalid, 'quantity is a string'),
    list('after', 'a6', quantityAfter),
    list('before', 'b1', 5, 'unknown-pet'),
    patch('unknown', 'b2', 404, 'unknown', 'unknown-pet'),
    list('after', 'b3', 5, 'unknown-pet'),
  ]
  it.each<[string, readonly ExchangePart[], unknown]>([
    ['follows where they show another status', around(5, 400), 'INV-4'],
    ['stands alone where another PATCH was let through', around(5, 200), ''],
    ['is no mere doubt where one of them changed the pet', around(6, 400), ''],
  ])('of the refused PATCHes %s', (_, parts, clause) => {
    expect(follows(parts, lackingQuantity, refusalsChangeNothing)).toEqual(['fail', 'inconclusive', clause])
  })
})
