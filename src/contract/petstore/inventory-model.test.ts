import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../kit/json.js'
import { shownEntry, strangerMove, type UpdateKind, type WalkEvent, walkBreaches } from './inventory-model.js'

type ShownEntry = ReturnType<typeof shownEntry>

const reading = (quantities: Record<string, string>): WalkEvent => ({
  kind: 'reading',
  quantities: new Map(Object.entries(quantities)),
})

/** An update of pet 1 to 7, which is what its answer shows, unless told otherwise. */
const update = (
  asks: UpdateKind,
  status: number | undefined,
  { petId = '1', quantity = '7', shown }: { petId?: string; quantity?: string; shown?: ShownEntry } = {},
): WalkEvent => ({
  kind: 'update',
  asks,
  petId,
  quantity,
  status,
  shown: shown ?? (status === 200 ? { petId, quantity } : {}),
})

const start = reading({ '1': '5', '2': '3' })
const same = reading({ '1': '5', '2': '3' })
const written = reading({ '1': '7', '2': '3' })
const other = reading({ '1': '5', '2': '4' })
const both = reading({ '1': '7', '2': '4' })
const gone = reading({ '2': '3' })

describe('a walk agrees with the model', () => {
  it.each<[string, WalkEvent[]]>([
    ['an accepted update is listed', [start, update('valid', 200), written]],
    ['the last of two updates counts', [start, update('valid', 200, { quantity: '9' }), update('valid', 200), written]],
    ['a refused body changes nothing', [start, update('invalid', 400), same]],
    ['an unknown pet is refused', [start, update('absent', 404, { petId: '99' }), same]],
    ['a quantity beyond the shown ones is refused', [start, update('loose', 400), same]],
    [
      'nothing is said by a 429, a 401 or a gateway',
      [start, update('invalid', 429), update('valid', 401), update('absent', 503), same],
    ],
    ['an update without an answer may have been carried out', [start, update('valid', undefined), written]],
    ['an update without an answer may not have been carried out', [start, update('valid', undefined), same]],
    [
      'of two updates of a pet one came to no answer',
      [start, update('valid', 200, { quantity: '9' }), update('valid', undefined), written],
    ],
    ['a pet that has gone since can be updated by nobody', [start, update('valid', 404), gone]],
    ['what moves with nothing sent is no breach of the target', [start, other]],
    [
      'a field of the answer that cannot be read is for the schema',
      [start, update('valid', 200, { shown: {} }), written],
    ],
  ])('where %s', (_, walk) => {
    expect(walkBreaches(walk)).toEqual([])
  })
})

describe('a walk breaks one clause', () => {
  it.each<[string, string, WalkEvent[]]>([
    ['INV-2', 'an accepted update is not listed', [start, update('valid', 200), same]],
    ['INV-2', 'an accepted update changes another entry', [start, update('valid', 200), both]],
    ['INV-2', 'an entry vanishes beside an update', [start, update('valid', 200, { petId: '2', quantity: '3' }), gone]],
    ['INV-2', 'an open quantity is accepted and not listed', [start, update('loose', 200), same]],
    ['INV-3', 'a valid update is refused', [start, update('valid', 400), same]],
    ['INV-3', 'a valid update is answered 201', [start, update('valid', 201), written]],
    ['INV-3', 'an open quantity is answered 422', [start, update('loose', 422), same]],
    [
      'INV-3',
      'the answer has another quantity',
      [start, update('valid', 200, { shown: { petId: '1', quantity: '5' } }), written],
    ],
    [
      'INV-3',
      'the answer has another pet',
      [start, update('control', 200, { shown: { petId: '2', quantity: '7' } }), written],
    ],
    ['INV-5', 'an invalid body is accepted and stored', [start, update('invalid', 200), written]],
    ['INV-5', 'an invalid body gets 422', [start, update('invalid', 422), same]],
    [
      'INV-6',
      'an unknown pet is made',
      [start, update('absent', 200, { petId: '9' }), reading({ '1': '5', '2': '3', '9': '7' })],
    ],
    ['INV-6', 'an unknown pet gets 400', [start, update('absent', 400, { petId: '9' }), same]],
    ['INV-8', 'a refused body is stored', [start, update('invalid', 400), written]],
    ['INV-8', 'a refused open quantity is stored', [start, update('loose', 400), written]],
    ['INV-8', 'a refused update changes another entry', [start, update('invalid', 400), other]],
    [
      'INV-8',
      'a refused update of an unknown pet makes it',
      [start, update('absent', 404, { petId: '9' }), reading({ '1': '5', '2': '3', '9': '7' })],
    ],
  ])('%s where %s', (clause, _, walk) => {
    expect(walkBreaches(walk).map((each) => each.clause)).toEqual([clause])
  })

  it('and no other where accepted and refused updates of one pet lie between two readings', () => {
    expect(walkBreaches([start, update('valid', 200), update('loose', 400, { quantity: '900' }), same])).toEqual([])
    expect(walkBreaches([start, update('valid', 200), update('loose', 400, { petId: '2' }), both])).toEqual([])
  })

  it('and none where an entry leaves the list behind a refused update, or comes back', () => {
    expect(walkBreaches([start, update('invalid', 400), gone])).toEqual([])
    expect(walkBreaches([gone, update('invalid', 400, { petId: '2' }), same])).toEqual([])
  })

  it('and no other where an update that was let through may have moved another entry', () => {
    const breaches = walkBreaches([start, update('invalid', 200), other])
    expect(breaches.map(({ clause }) => clause)).toEqual(['INV-5'])
  })

  it('once: the reading that shows it is the start of what comes after', () => {
    const walk = [start, update('valid', 200), same, update('valid', 200, { petId: '2', quantity: '4' }), other]
    expect(walkBreaches(walk)).toEqual([
      { clause: 'INV-2', what: 'disagrees', at: 2, petId: '1', model: '7', shown: '5' },
    ])
  })
})

it('names the pet that moves between two readings with nothing sent', () => {
  expect(strangerMove([start, same, update('valid', 200), both])).toBeUndefined()
  expect(strangerMove([start, update('valid', 200), written, both])).toEqual({
    at: 3,
    petId: '2',
    before: '3',
    after: '4',
  })
  expect(strangerMove([start, gone])).toEqual({ at: 1, petId: '1', before: '5', after: 'absent' })
})

it.each<[string, ShownEntry]>([
  ['{"petId":9007199254740995,"quantity":5.0}', { petId: '9007199254740995', quantity: '5' }],
  ['{"petId":"1","quantity":2}', { quantity: '2' }],
  ['{"petId":1}', { petId: '1' }],
  ['[1]', {}],
  ['null', {}],
])('reads of %s what can be read', (text, entry) => {
  const body = readJson(text)
  expect(shownEntry(body.ok ? body.value : undefined)).toEqual(entry)
})

/** What is sent, and whether the next thing is a reading. */
const sent = fc.record({
  pet: fc.constantFrom('1', '2', '3'),
  quantity: fc.integer({ min: 0, max: 50 }),
  asks: fc.constantFrom<UpdateKind>('valid', 'loose', 'invalid', 'absent'),
  refuses: fc.boolean(),
  lost: fc.constantFrom<boolean>(false, false, false, true),
  applied: fc.boolean(),
  thenReads: fc.boolean(),
})

it('never accuses a server that keeps the interface, whatever it is asked and whichever answers are lost', () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 30 }), (row) => {
      const stock = new Map([
        ['1', '5'],
        ['2', '3'],
        ['3', '0'],
      ])
      const walk: WalkEvent[] = [{ kind: 'reading', quantities: new Map(stock) }]
      for (const { pet, quantity, asks, refuses, lost, applied, thenReads } of row) {
        const petId = asks === 'absent' ? '99' : pet
        const refusal = { valid: 429, control: 429, loose: 400, invalid: 400, absent: 404 }[asks]
        const isRefused = asks === 'invalid' || asks === 'absent' || refuses
        const isStored = !isRefused && (!lost || applied)
        if (isStored) stock.set(petId, String(quantity))
        const status = lost ? undefined : isRefused ? refusal : 200
        walk.push(update(asks, status, { petId, quantity: String(quantity) }))
        if (thenReads) walk.push({ kind: 'reading', quantities: new Map(stock) })
      }
      expect(walkBreaches(walk)).toEqual([])
      expect(strangerMove(walk)).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})
