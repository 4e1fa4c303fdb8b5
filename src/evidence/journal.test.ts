import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.js'
import type { JournalRecord, RunHead } from './journal.js'
import { appendToJournal, openJournal, readRun } from './journal-file.js'
import { type Ledger, LedgerWriter } from './ledger.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const head: RunHead = {
  type: 'run',
  journalVersion: 1,
  toolVersion: '0.1.0',
  id: 'r1',
  startedAt: '2026-01-01T00:00:00.000Z',
  wallStartMs: Date.UTC(2026, 0, 1),
  scenario: 'smoke',
  probes: [{ probe: 'burst', settings: { overshoot: 1.5, nested: { a: [1, null] } } }],
  gates: {},
  only: [],
  skip: ['RATE'],
  baseUrl: 'http://127.0.0.1:1/v1',
  timeScale: 10,
  seed: 7,
  strict: false,
  readOnly: false,
  keys: [{ name: 'free', plan: 'free', quota: { limit: 60, longer: 1000 } }],
  planned: { requests: [{ key: 'free', probe: 'hello', requests: 1 }], durationMs: 100 },
  command: 'quotaspec run smoke',
  environment: { node: 'v20', platform: 'linux', cpus: 2 },
}

const text = fc.string({ unit: 'binary', maxLength: 12 })
const time = fc.double({ min: 0, max: 1e9, noNaN: true })
const body = fc.record({
  encoding: fc.constantFrom('utf8' as const, 'base64' as const),
  content: text,
  bytes: fc.nat(),
  truncated: fc.boolean(),
})
const headers = fc.array(fc.tuple(text, text), { maxLength: 3 })
const exchange: fc.Arbitrary<Exchange> = fc.record({
  id: text,
  probe: text,
  step: text,
  // Probes name what they intend, and none names it `__proto__`, which no reader of JSON keeps as a name.
  intent: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    text,
    { maxKeys: 3, noNullPrototype: true },
  ),
  key: fc.option(text),
  credential: text,
  operation: fc.option(text),
  request: fc.record({ method: text, url: text, headers, body: fc.option(body) }),
  sentAt: time,
  receivedAt: fc.option(time),
  endedAt: time,
  response: fc.option(fc.record({ status: fc.integer({ min: 200, max: 599 }), reason: text, headers, body })),
  error: fc.option(
    fc.record({
      phase: fc.constantFrom('connect' as const, 'head' as const, 'body' as const),
      code: text,
      message: text,
    }),
  ),
  asksAgain: fc.option(text),
})
const whole = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  exchange.map((x) => ({ type: 'exchange' as const, ...x })),
  fc.record({ type: fc.constant('note' as const), at: time, text }),
  fc.record({ type: fc.constant('touched' as const), petId: whole, quantity: whole }),
  fc.record({ type: fc.constant('restored' as const), petId: whole }),
  fc.record({
    type: fc.constant('probe' as const),
    probe: text,
    key: fc.option(text),
    at: time,
    end: fc.constantFrom('completed' as const, 'failed' as const),
    reason: text,
  }),
  fc.record({ type: fc.constant('end' as const), at: time, interrupted: fc.boolean() }),
)

const ledger = (id: string): Ledger => {
  const rows = new LedgerWriter(2)
  rows.append(Number.NaN, 10, 0)
  rows.columns.receivedUs[0] = 20
  rows.columns.status[0] = 200
  return {
    head: {
      id,
      probe: 'burst',
      key: 'free',
      phases: [],
      samples: [],
      counts: { planned: 1, sent: 1, answered: 1, errors: 0, timeouts: 0, lost: 0 },
      scheduleErrorMs: null,
      stoodStillMs: 0,
      problem: null,
    },
    rows: rows.rows(),
  }
}

const written = (...records: readonly JournalRecord[]) => {
  const journal = openJournal(folder)
  for (const each of records) journal.write(each)
  journal.close()
}

const file = () => join(folder, 'journal.jsonl')
const note = (at: number): JournalRecord => ({ type: 'note', at, text: `at ${at}` })

describe('the limits of keys in a saved run', () => {
  const savedQuota = '"quota":{"minute":60,"day":1000}'
  const line = () => readFileSync(join(folder, 'journal.jsonl'), 'utf8')

  it('stand in its lines under the names of before, and are read back', () => {
    const journal = openJournal(folder)
    journal.write(head)
    journal.close()
    expect(line()).toContain(savedQuota)
    expect(readRun(folder).records).toEqual([head])
  })

  it('are saved so where records are added later', () => {
    openJournal(folder).close()
    appendToJournal(folder, [head])
    expect(line()).toContain(savedQuota)
    expect(readRun(folder).records).toEqual([head])
  })
})

describe('a journal', () => {
  it('gives back every record as it was written', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        written(head, ...records)
        expect(readRun(folder)).toEqual({ records: [head, ...records], ledgers: [], unreadable: [], lostLoads: [] })
      }),
      { numRuns: 60 },
    )
  })

  it('is with the operating system as soon as a record is written', () => {
    const journal = openJournal(folder)
    journal.write(head)
    expect(readRun(folder).records).toEqual([head])
    journal.close()
  })

  it('keeps each ledger beside it, in the order of their names', () => {
    const journal = openJournal(folder)
    journal.write(head)
    journal.keep(ledger('whole-free'))
    journal.keep(ledger('burst-free'))
    journal.close()
    const { ledgers } = readRun(folder)
    expect(ledgers.map((each) => each.head.id)).toEqual(['burst-free', 'whole-free'])
    expect([...ledgers[0].rows.status]).toEqual([200])
  })

  it('holds nothing of the run that was in its folder before', () => {
    const journal = openJournal(folder)
    journal.write(note(1))
    journal.keep(ledger('burst-free'))
    journal.close()
    written(head)
    expect(readRun(folder)).toEqual({ records: [head], ledgers: [], unreadable: [], lostLoads: [] })
  })
})

describe('reading a saved run', () => {
  it('reads a run that was killed to its last whole record, wherever it was cut', () => {
    written(head, note(1), note(2))
    const whole = readFileSync(file()).length
    const last = JSON.stringify(note(2)).length + 1
    for (let cut = 2; cut < last; cut += 1) {
      truncateSync(file(), whole - cut)
      const { records, unreadable } = readRun(folder)
      expect(records).toEqual([head, note(1)])
      expect(unreadable).toEqual(['line 3: not a complete record'])
      written(head, note(1), note(2))
    }
  })

  it('names the line and the field of a record that is none', () => {
    written(head)
    appendFileSync(file(), '{"type":"note","at":"soon","text":"x"}\n\n{"type":"nothing"}\n')
    expect(readRun(folder)).toMatchObject({
      records: [head],
      unreadable: [expect.stringMatching(/^line 2: at: /), expect.stringMatching(/^line 4: type: /)],
      lostLoads: [],
    })
  })

  it('says which ledger can not be read, and reads the others', () => {
    const journal = openJournal(folder)
    journal.write(head)
    journal.keep(ledger('burst-free'))
    journal.keep(ledger('half-free'))
    journal.close()
    writeFileSync(join(folder, 'ledgers', 'burst-free.ledger'), 'not one')
    const { ledgers, unreadable } = readRun(folder)
    expect(ledgers.map((each) => each.head.id)).toEqual(['half-free'])
    expect(unreadable).toEqual([expect.stringMatching(/^ledgers\/burst-free\.ledger: not a ledger/)])
  })

  it('does not need a folder of ledgers, which a copy of a run without load may lack', () => {
    written(head)
    rmSync(join(folder, 'ledgers'), { recursive: true })
    expect(readRun(folder)).toEqual({ records: [head], ledgers: [], unreadable: [], lostLoads: [] })
  })

  it('throws where there is no run', () => {
    expect(() => readRun(folder)).toThrow('ENOENT')
  })
})

describe('adding to a journal', () => {
  it('adds to what is there', () => {
    written(head)
    appendToJournal(folder, [{ type: 'restored', petId: '1' }, note(9)])
    expect(readRun(folder).records).toEqual([head, { type: 'restored', petId: '1' }, note(9)])
  })

  it('loses nothing where the last line was cut off', () => {
    written(head, note(1))
    truncateSync(file(), readFileSync(file()).length - 5)
    appendToJournal(folder, [{ type: 'restored', petId: '1' }])
    expect(readRun(folder).records).toEqual([head, { type: 'restored', petId: '1' }])
  })
})
