import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { petstore } from '../../src/contract/petstore/petstore.js'
import { openJournal, readRun } from '../../src/evidence/journal-file.js'
import { type Ledger, LedgerWriter } from '../../src/evidence/ledger.js'
import { decodeLedger, encodeLedger } from '../../src/evidence/ledger-file.js'
import { unfinishedIn } from '../../src/evidence/unfinished.js'
import { parseHttpDate } from '../../src/kit/http-date.js'
import { exactInteger, readJson } from '../../src/kit/json.js'
import { UsageError } from '../../src/kit/usage-error.js'
import { limitReader } from '../../src/readings/answers.js'
import { readRetryAfter } from '../../src/readings/limit-values.js'
import { headReader } from '../../src/readings/load-reader.js'
import { givenKeys, parseEnterpriseQuota, readKeyFile, typedKeys } from '../../src/run/options/keys.js'
import { loadScenario } from '../../src/run/options/scenario.js'
import { programSource, settleOptions } from '../../src/run/options/settle-options.js'
import { parseTarget } from '../../src/run/options/target.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import { keepAliveMs } from '../../src/wire/load/line-pool.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-untrusted-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Text as it comes from elsewhere: any characters at all, or nearly what is expected. */
const wild = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
const nearly = (examples: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...examples), fc.nat(60), fc.nat(10), wild)
    .map(([example, at, cut, text]) => example.slice(0, at) + text + example.slice(at + cut))

/** Only a usage error may come of what a user, or somebody else, wrote. */
const orUsageError = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

describe('headers', () => {
  const values = fc.oneof(
    wild,
    nearly(['60', '1700000000', '-1', '1e9', 'NaN', 'Infinity', '0x10', '9'.repeat(400), '١٢٣']),
    nearly(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']),
  )
  const names = ['X-RateLimit-Limit', 'x-ratelimit-remaining', 'X-RATELIMIT-RESET', 'Retry-After', 'Keep-Alive', 'Date']
  const lines = fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 8 })

  it('are read without a throw, and never to a number that is none', () => {
    fc.assert(
      fc.property(lines, (headers) => {
        for (const header of Object.values(limitReader(petstore, petstore.quotas[0])(headers))) {
          if (header.state === 'number') expect(Number.isFinite(header.value)).toBe(true)
        }
        const retryAfter = readRetryAfter(headers)
        if (retryAfter.form === 'date') expect(Number.isFinite(retryAfter.epochMs)).toBe(true)
        if (retryAfter.form === 'seconds') expect(retryAfter.seconds).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('are recorded of a load as a number, as none, or as something else that is there', () => {
    fc.assert(
      fc.property(lines, (headers) => {
        const ledger = new LedgerWriter(1)
        const row = ledger.append(Number.NaN, 0, 0)
        headReader(petstore, petstore.quotas[0])(ledger, row, headers.flat())
        const { limit, remaining, reset, retryAfter } = ledger.columns
        const named = (name: string) => headers.some(([each]) => each.toLowerCase() === name)
        expect(Number.isNaN(limit[row])).toBe(!named('x-ratelimit-limit'))
        expect(Number.isNaN(remaining[row])).toBe(!named('x-ratelimit-remaining'))
        expect(Number.isNaN(reset[row])).toBe(!named('x-ratelimit-reset'))
        expect(Number.isNaN(retryAfter[row])).toBe(!named('retry-after'))
        expect(keepAliveMs(headers.flat()) ?? 0).toBeLessThan(1e9)
      }),
    )
  })

  it('with dates are read as a moment or not at all', () => {
    fc.assert(
      fc.property(values, (text) => {
        const moment = parseHttpDate(text)
        if (moment !== undefined) expect(Number.isInteger(moment)).toBe(true)
      }),
    )
  })
})

describe('bodies', () => {
  const json = fc.oneof(
    wild,
    nearly(['{"a":1e999999999}', '[{"__proto__":{"x":1}}]', '"\\ud800"', '[1,2,3]', '-0.0e-0', '{"a":1,"a":2}']),
    fc.nat(3_000).map((deep) => '['.repeat(deep)),
    fc.nat(3_000).map((deep) => `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
  )

  it('are read as JSON exactly where they are JSON, and never throw', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(json, (text) => {
        const reading = readJson(text)
        if (reading.ok) expect(isJson(text)).toBe(true)
        else if (reading.reason === 'not-json') expect(isJson(text)).toBe(false)
        expect(({} as { x?: number }).x).toBeUndefined()
      }),
    )
  })

  it('nested 200,000 deep, or with a number of a million digits, cost no more than their reading', () => {
    expect(readJson('['.repeat(200_000) + ']'.repeat(200_000))).toMatchObject({ ok: false })
    expect(readJson('9'.repeat(1_000_000)).ok).toBe(true)
    expect(exactInteger('9'.repeat(1_000_000))).toBeUndefined()
    expect(exactInteger(`1e${'9'.repeat(300)}`)).toBeUndefined()
  })
})

const ledger = (id = 'burst-free'): Ledger => {
  const rows = new LedgerWriter(3)
  for (const sentUs of [1, 2, 3]) rows.append(Number.NaN, sentUs, 0)
  rows.columns.flags.fill(8)
  const counts = { planned: 3, sent: 3, answered: 0, errors: 0, timeouts: 0, lost: 3 }
  const head = { id, probe: 'burst', key: 'free', phases: [], samples: [], counts, scheduleErrorMs: null }
  return { head: { ...head, stoodStillMs: 0, problem: null }, rows: rows.rows() }
}

describe('a ledger', () => {
  const bytes = encodeLedger(ledger())

  it('with any byte changed, or cut anywhere, is read whole or refused in words', () => {
    const changed = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length)).map(([at, value, cut]) => {
      const copy = bytes.slice(0, cut < 4 ? cut : bytes.length)
      if (at < copy.length) copy[at] = value
      return copy
    })
    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 200 })), (given) => {
        try {
          expect(decodeLedger(given).rows.length).toBe(3)
        } catch (error) {
          expect(String(error)).toMatch(/ledger/)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('that claims four billion rows takes no memory for them', () => {
    const copy = bytes.slice()
    new DataView(copy.buffer).setUint32(16, 0xffffffff, true)
    expect(() => decodeLedger(copy)).toThrow('an incomplete ledger')
  })

  it.each(['../outside', '/tmp/outside', 'a/b', '..', 'a\0b', '', 'x'.repeat(200)])(
    'is kept under no name such as %j, that leads out of its folder',
    (id) => {
      const journal = openJournal(folder)
      expect(() => journal.keep(ledger(id))).toThrow("can't be kept under the name")
      journal.close()
    },
  )
})

const head = {
  type: 'run',
  journalVersion: 1,
  toolVersion: '0',
  id: 'r',
  startedAt: '2026-01-01T00:00:00Z',
  wallStartMs: 0,
  scenario: 'smoke',
  probes: [],
  gates: {},
  only: [],
  skip: [],
  baseUrl: 'http://127.0.0.1:1/v1',
  timeScale: 1,
  seed: 1,
  strict: false,
  readOnly: false,
  keys: [],
  planned: { requests: [], durationMs: 0 },
  command: '',
  environment: { node: '', platform: '', cpus: 1 },
}

const saved = (...lines: readonly string[]): void =>
  writeFileSync(join(folder, 'journal.jsonl'), [JSON.stringify(head), ...lines, ''].join('\n'))

describe('a saved run from elsewhere', () => {
  it('with any lines at all is read to what can be read, or refused in words', () => {
    const line = fc.oneof(
      wild,
      nearly([
        '{"type":"note","at":1,"text":"x"}',
        '{"type":"touched","petId":"1","quantity":"2"}',
        '{"type":"end","at":1,"interrupted":false}',
        JSON.stringify(head),
      ]),
      fc.json(),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        saved(...lines)
        expect(savedEvidence(folder, () => {}).run.scenario).toBe('smoke')
        for (const { petId, quantity } of unfinishedIn(folder)?.pets ?? []) {
          expect(`${petId} ${quantity}`).toMatch(/^-?\d+ -?\d+$/)
        }
      }),
    )
  })

  it('pollutes no prototype, and its records have no odd ancestors', () => {
    const intent = '"intent":{"__proto__":"x","constructor":"y","toString":"z"}'
    const request = '"request":{"method":"GET","url":"u","headers":[],"body":null}'
    const rest = '"id":"x1","probe":"p","step":"s","key":null,"credential":"none","operation":null,"sentAt":0'
    const end = '"receivedAt":null,"endedAt":1,"response":null,"error":null,"asksAgain":null'
    saved(`{"type":"exchange",${rest},${intent},${request},${end}}`)
    const [, exchange] = readRun(folder).records
    expect(Object.getPrototypeOf(exchange)).toBe(Object.prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(typeof {}.toString).toBe('function')
  })

  it.each([
    ['a quantity that is a command', '{"type":"touched","petId":"1","quantity":"1; rm -rf ~"}'],
    ['a pet that closes a quotation', `{"type":"touched","petId":"1'$(id)'","quantity":"1"}`],
    ['a pet that leads elsewhere', '{"type":"touched","petId":"../orders/1","quantity":"1"}'],
  ])('with %s has no such pet to put back', (_, line) => {
    saved(line)
    expect(unfinishedIn(folder)).toBeUndefined()
    expect(savedEvidence(folder, () => {}).unrestored).toEqual([])
  })

  it('whose files are links to others is not followed there', () => {
    const outside = join(folder, 'outside')
    writeFileSync(outside, JSON.stringify(head))
    mkdirSync(join(folder, 'run', 'ledgers'), { recursive: true })
    symlinkSync(outside, join(folder, 'run', 'journal.jsonl'))
    expect(() => savedEvidence(join(folder, 'run'), () => {})).toThrow('is not an ordinary file')
    rmSync(join(folder, 'run', 'journal.jsonl'))
    writeFileSync(join(folder, 'run', 'journal.jsonl'), `${JSON.stringify(head)}\n`)
    symlinkSync(outside, join(folder, 'run', 'ledgers', 'x.ledger'))
    expect(readRun(join(folder, 'run'))).toMatchObject({
      ledgers: [],
      unreadable: [expect.stringContaining('is not an ordinary file')],
    })
  })
})

describe('a scenario file', () => {
  const known = new Map([['hello', z.strictObject({ requests: z.int().optional() })]])
  const load = (text: string) => {
    writeFileSync(join(folder, 'given.yaml'), text)
    return orUsageError(() => loadScenario(join(folder, 'given.yaml'), folder, known))
  }
  const good = 'name: a\ndescription: b\nprobes:\n  - probe: hello\n    requests: 5\n'

  it('of any text is loaded, or refused in words', () => {
    fc.assert(
      fc.property(fc.oneof(wild, nearly([good]), fc.json()), (text) => {
        const scenario = load(text)
        for (const { probe } of scenario?.probes ?? []) expect(known.has(probe)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['aliases that explode', `${bomb()}\n${good}`],
    ['a tag that makes objects', `${good}x: !!js/function "function(){}"`],
    ['a tag of its own', good.replace('b', '!evil b')],
    ['__proto__ as a field', `${good}__proto__:\n  strict: true\n`],
    ['two documents', `${good}---\n${good}`],
    ['the same field twice', `${good}name: c\n`],
    ['more than 256 KiB', `${good}#${'x'.repeat(300_000)}`],
    ['a merge of something else', `<<: {strict: true}\n${good}`],
    ['nesting without end', `name: ${'['.repeat(20_000)}`],
  ])('with %s is refused in words', (_, text) => {
    expect(load(text)).toBeUndefined()
    expect(({} as { strict?: unknown }).strict).toBeUndefined()
  })
})

it('a setting called __proto__ is no setting, and nobody inherits from it', () => {
  const path = join(folder, 'given.yaml')
  const known = new Map([['hello', z.strictObject({ requests: z.int().default(3) })]])
  writeFileSync(path, 'name: a\ndescription: b\nprobes:\n  - probe: hello\n    __proto__: {requests: 9}\n')
  const [probe] = orUsageError(() => loadScenario(path, folder, known))?.probes ?? [{ requests: 3 }]
  expect(probe.requests).toBe(3)
  expect(Object.getPrototypeOf(probe)).toBe(Object.prototype)
})

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`)
  return ['x0: &a0 [lol]', ...levels].join('\n')
}

describe('flags', () => {
  it('of any text are taken, or refused in words that show no key', () => {
    const key = fc.oneof(wild, nearly(['free=abcdefgh', 'enterprise=abcdefgh']))
    fc.assert(
      fc.property(key, wild, nearly(['http://127.0.0.1:8080/v1', 'https://[::1]/v1']), (flag, quota, target) => {
        orUsageError(() => parseEnterpriseQuota([quota]))
        const url = orUsageError(() => parseTarget(target))
        if (url !== undefined) expect(new URL(url).protocol).toMatch(/^https?:$/)
        try {
          givenKeys(typedKeys([flag]), {}, { minute: 1, day: 1 })
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
          const secret = flag.slice(flag.indexOf('=') + 1)
          if (secret.length > 12) expect(String(error)).not.toContain(secret)
        }
      }),
    )
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9])('refuse %d seconds', (seconds) => {
    const options = { target: 'http://127.0.0.1/v1', timeouts: { head: seconds } }
    expect(() => settleOptions([programSource(options)])).toThrow(UsageError)
  })

  it('name the line of a key file that is wrong, and never what stands there', () => {
    const path = join(folder, 'keys')
    writeFileSync(path, '# comment\n\nfree=one-secret-key\r\nsecret-without-plan\n')
    expect(() => readKeyFile(path)).toThrow(`${path}:4: a line must be PLAN=SECRET`)
    expect(() => readKeyFile(path)).not.toThrow('secret-without-plan')
    writeFileSync(path, '\ufefffree=one-secret-key\r\n# comment\npro=another-key\n')
    expect(readKeyFile(path)).toEqual([
      { name: 'free', secret: 'one-secret-key' },
      { name: 'pro', secret: 'another-key' },
    ])
    writeFileSync(path, 'x'.repeat(70_000))
    expect(() => readKeyFile(path)).toThrow('larger than 64 KiB')
  })
})
