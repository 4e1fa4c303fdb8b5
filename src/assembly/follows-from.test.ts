import { describe, expect, it } from 'vitest'
import { fail, inconclusive, pass } from '../checks/law/finding.js'
import { refusedWrite } from '../checks/petstore/inventory/refused-write.js'
import { remainingByOperation } from '../checks/petstore/rate/remaining-by-operation.js'
import { notOverAdmitted } from '../checks/quota/not-over-admitted.js'
import { notRefusedEarly } from '../checks/quota/not-refused-early.js'
import { spellingsCheck } from '../checks/quota/spellings.js'
import { retryAfterHonest } from '../checks/throttle/retry-after-honest.js'
import { madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import type { CheckResult } from '../runner/judging/judge.js'
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
      'follows where it is about refusals, and none came on any key',
      [{ status: 200 }],
      result(retryAfterHonest, inconclusive('not-told', nothing)),
      [over('pro')],
      'QUOTA-1',
    ],
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
    ['is none where it passes', [refused, patch], result(refusedWrite, pass('told', nothing)), [opened], null],
  ])('%s', (_, parts, check, others, clause) => {
    expect(followsFrom(madeEvidence(parts, { run }), check, [check, ...others])).toBe(clause)
  })
})
