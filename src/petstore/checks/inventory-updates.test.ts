import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { updateAnswer } from './inventory-updates.js'
import { entry, patch, refusal } from './testing/stock.js'

const rwr = 'read-write-read'
const answered = (body: string, part: ExchangePart = {}) =>
  patch(rwr, 'patch', '9007199254740993', 4, { body, ...part })
verdictTable(updateAnswer, [
  ...(['-3', '0', '1152921504606846976'] as const).map(
    (quantity) =>
      [
        `the pet holds ${quantity}, which bounds may forbid`,
        [patch(rwr, 'patch-back', '1', quantity, refusal(400)), patch(rwr, 'patch', '1', 4)],
        { verdict: 'pass', facts: { told: 1, leftOut: 1 } },
      ] as const,
  ),
  ['any quantity is refused', [patch(rwr, 'patch', '1', 4, refusal(400))], { verdict: 'fail' }],
  ['it is the updated entry', [answered(entry('9007199254740993', 4))], { verdict: 'pass' }],
  [
    'it is answered 204',
    [answered('', { status: 204 })],
    { verdict: 'fail', code: 'update-not-accepted', facts: { got: 204 } },
  ],
  [
    'it shows another pet',
    [answered(entry('7', 4))],
    { verdict: 'fail', code: 'update-shows-another-pet', facts: { asked: '9007199254740993', shown: '7' } },
  ],
  [
    'it shows what a double makes of the id',
    [answered(entry('9007199254740992', 4))],
    { verdict: 'fail', code: 'update-shows-another-pet' },
  ],
  [
    'it shows another quantity',
    [answered(entry('9007199254740993', 5))],
    { verdict: 'fail', code: 'update-shows-another-quantity', facts: { sent: '4', shown: '5' } },
  ],
  ['it is a list', [answered('[]')], { verdict: 'fail', code: 'update-is-no-object' }],
  [
    'a field of it can not be read, which is another clause’s',
    [answered('{"petId":"x","quantity":4}')],
    { verdict: 'inconclusive', facts: { told: 0, leftOut: 1 } },
  ],
  [
    'of several at once, one shows what another one set',
    [
      patch(rwr, 'patch', '1', 4),
      patch(rwr, 'at-once', '2', 6, { body: entry('3', 8) }),
      patch(rwr, 'at-once', '3', 8),
    ],
    { verdict: 'fail', code: 'update-shows-another-pet', facts: { asked: '2', shown: '3' } },
  ],
  [
    'one for another key of a plan is refused',
    [patch(rwr, 'patch', '1', 4), patch('header-row', 'valid', '2', 7, { ...refusal(403), key: 'free' })],
    { verdict: 'fail', code: 'update-not-accepted', facts: { got: 403 } },
  ],
  ['it shows nothing of the entry', [answered('{"ok":true}')], { verdict: 'fail', code: 'update-is-no-entry' }],
  ['its quantity was put back and shown so', [patch(rwr, 'patch-back', '1', 5)], { verdict: 'pass' }],
  ['a control is not accepted', [patch('invalid-bodies', 'control', '1', 5, refusal(400))], { verdict: 'fail' }],
  [
    'an invalid one is refused, as it should be',
    [patch(rwr, 'patch', '1', 4), patch('invalid-bodies', 'invalid', '1', 4, refusal(400))],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  ['a valid one was refused by the limit', [patch(rwr, 'patch', '1', 4, refusal(429))], { verdict: 'inconclusive' }],
  [
    'one of two valid ones was refused by the limit',
    [patch(rwr, 'patch', '1', 4), patch(rwr, 'patch-back', '1', 5, refusal(429))],
    { verdict: 'inconclusive', code: 'no-answer' },
  ],
  ['none was sent', [], { verdict: 'inconclusive' }],
])
