import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { JournalRecord, ProbeEnd } from '../evidence/journal.js'
import { appendToJournal, openJournal } from '../evidence/journal-file.js'
import { loadRowRecord } from '../evidence/load-rows.js'
import { madeExchange } from '../evidence/testing/made-exchange.js'
import { UsageError } from '../kit/usage-error.js'
import { machineMs } from './machine.js'
import { prepareRun } from './options/prepare-run.js'
import type { GivenOptions } from './options/run-options.js'
import { madeOptions } from './options/testing/made-options.js'
import { outOf, resumeRun } from './resume.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-resume-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ended = (probe: string, end: ProbeEnd['end'] = 'completed'): ProbeEnd => ({
  type: 'probe',
  probe,
  key: probe === 'no-key' ? null : 'free',
  at: 1,
  end,
  reason: '',
})

const row = (index: number) =>
  loadRowRecord(
    { ledger: 'daily-free', probe: 'daily', key: 'free' },
    {
      index,
      plannedUs: 0,
      sentUs: index * 1000,
      receivedUs: index * 1000 + 500,
      limit: 60,
      remaining: 1,
      reset: 1,
      retryAfter: Number.NaN,
      status: index === 2 ? 429 : 200,
      connection: 0,
      flags: 0,
    },
  )

const inDaily: readonly JournalRecord[] = [ended('hello'), ended('no-key'), row(0), row(1), row(2)]

/** A folder in which a run stopped, so long after it began and with this on record. */
const stopped = (
  records: readonly JournalRecord[] = inDaily,
  { agoMs = 60_000, part = {}, scenario = 'daily-quota' } = {},
) => {
  const out = mkdtempSync(join(folder, 'run-'))
  const { head } = prepareRun(madeOptions({ scenario, seed: 7 }), {})
  const journal = openJournal(out)
  journal.write({ ...head, wallStartMs: Date.now() - agoMs, machineMs: machineMs() - agoMs, ...part })
  for (const each of records) journal.write(each)
  journal.close()
  return out
}

const resume = (out: string, part: GivenOptions = {}, scenario = 'daily-quota') =>
  resumeRun(out, prepareRun(madeOptions({ scenario, ...part }), {}))

describe('going on with a run', () => {
  it('takes up what it was, what is done, and what of the day is spent', () => {
    const out = stopped([...inDaily, ended('daily', 'interrupted')])
    const { prepared, earlier, elapsedMs, spent } = resume(out)
    expect(prepared.head.seed).toBe(7)
    expect(elapsedMs).toBeGreaterThanOrEqual(60_000)
    expect(spent).toBe(3)
    expect(earlier.loaded('daily', 'free')).toEqual({ sent: 3, refused: 1, refusedInRow: 1 })
    expect(earlier.used('free')).toEqual({ sent: 3, lastSentAt: 2 })
    expect([earlier.wasPlayed('hello', 'free'), earlier.wasPlayed('hello', 'free')]).toEqual([true, false])
    expect(earlier.wasPlayed('daily', 'free')).toBe(false)
  })

  it('reads a journal whose last line is cut off', () => {
    const out = stopped()
    const path = join(out, 'journal.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40))
    expect(resume(out).spent).toBe(2)
  })

  const touched = { type: 'touched', petId: '1', quantity: '5' } as const
  const restored = { type: 'restored', petId: '1' } as const
  it.each<[string, string, () => unknown]>([
    ['another target', '--target was', () => resume(stopped(), { target: 'http://127.0.0.1:9/v1' })],
    ['another scenario', 'scenario was "daily-quota" and is now "smoke"', () => resume(stopped(), {}, 'smoke')],
    ['another time scale', '--time-scale was 1 and is now 2', () => resume(stopped(), { timeScale: 2 })],
    [
      'further keys',
      'the keys and their quotas',
      () => resume(stopped(), { keys: { free: 's3cr3t-key', pro: 's3cr3t' } }),
    ],
    ['another key', 'the free key is not the one', () => resume(stopped(), { keys: { free: 'another-key' } })],
    ['another seed', 'the seed was 7, not 8', () => resume(stopped(), { seed: 8 })],
    ['a folder without a run', 'there is no run to resume', () => resume(join(folder, 'none'))],
    [
      'a run that spends no day',
      'only a run that spends a day',
      () => resume(stopped([], { scenario: 'smoke' }), {}, 'smoke'),
    ],
    ['a run that is over', 'that run is complete', () => resume(stopped([...inDaily, ended('daily')]))],
    ['a day that is over', 'ago is over', () => resume(stopped(inDaily, { agoMs: 86_400_001 }))],
    [
      'a clock that was set',
      "the times of both parts don't fit together",
      () => resume(stopped(inDaily, { part: { wallStartMs: Date.now() - 90_000 } })),
    ],
    ['a load with a gap', "one of its loads can't be read", () => resume(stopped([...inDaily.slice(0, 3), row(2)]))],
    ['pets left changed', 'does not record that they were put back', () => resume(stopped([touched, ...inDaily]))],
    [
      'pets put back by somebody else',
      'does not record that they were put back',
      () => {
        const out = stopped([touched, ...inDaily])
        appendToJournal(out, [{ ...restored, later: true }])
        return resume(out)
      },
    ],
  ])('is refused with %s', (_, why, attempt) => {
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(why)
  })

  it('is refused in the middle of another probe', () => {
    const asked = { type: 'exchange', ...madeExchange({ probe: 'no-key' }) } as const
    expect(() => resume(stopped([ended('hello'), asked]))).toThrow('stopped in the middle of no-key')
  })

  it('writes where the run began', () => {
    expect(outOf('runs/1', 'reports/latest', 'reports/latest')).toBe('runs/1')
    expect(outOf('runs/1', './runs/1/', 'reports/latest')).toBe('runs/1')
    expect(() => outOf('runs/1', 'elsewhere', 'reports/latest')).toThrow('remove --out')
  })
})
