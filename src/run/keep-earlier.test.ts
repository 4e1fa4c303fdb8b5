import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepEarlier } from './run-folder.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-earlier-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const leave = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
const journal = (id: string) => `${JSON.stringify({ type: 'run', id, startedAt: '2026-01-01T00:00:00.000Z' })}\n`

describe('what an earlier run has left', () => {
  it('goes below the folder under its own name, whole, and what is not of a run stays', () => {
    leave({ 'journal.jsonl': journal('run-1'), 'report.json': '{}', 'ledgers/a.ledger': 'rows', 'mine.txt': 'mine' })
    expect(keepEarlier(folder)).toEqual({ path: join(folder, 'earlier', 'run-1'), inAll: 1 })
    const kept = (name: string) => readFileSync(join(folder, 'earlier', 'run-1', name), 'utf8')
    expect([kept('journal.jsonl'), kept('report.json'), kept('ledgers/a.ledger')]).toEqual([
      journal('run-1'),
      '{}',
      'rows',
    ])
    expect(['journal.jsonl', 'report.json', 'ledgers'].filter((name) => existsSync(join(folder, name)))).toEqual([])
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine')
    expect(keepEarlier(folder)).toBeUndefined()
  })

  it.each([
    [
      'an audit of a client',
      { 'arrivals.jsonl': journal('a1').replace('run', 'audit') },
      '2026-01-01T00-00-00-000Z-client',
    ],
    ['a report alone', { 'report.json': '{"run":{"id":"run-2"}}' }, 'run-2'],
    ['a name that leads elsewhere', { 'journal.jsonl': journal('../../etc') }, 'etc'],
    ['a name that is nothing', { 'journal.jsonl': journal('..') }, 'run'],
  ])('is found by %s', (_, files, name) => {
    leave(files as Record<string, string>)
    expect(keepEarlier(folder)?.path).toBe(join(folder, 'earlier', name))
  })

  it('is named by its time where it does not say what it is', () => {
    leave({ 'journal.jsonl': 'no journal' })
    expect(keepEarlier(folder)?.path).toMatch(/earlier\/\d{4}-\d\d-\d\dT[\d-]+Z$/)
  })

  it('joins the half of it that was moved before, and never another run of the same name', () => {
    leave({ 'journal.jsonl': journal('run-1'), 'earlier/run-1/report.json': 'its own' })
    expect(keepEarlier(folder)?.path).toBe(join(folder, 'earlier', 'run-1'))
    leave({ 'journal.jsonl': journal('run-1') })
    expect(keepEarlier(folder)).toEqual({ path: join(folder, 'earlier', 'run-1-2'), inAll: 2 })
  })

  it('is nothing where nothing was written', () => {
    leave({ 'journal.jsonl': '', 'mine.txt': 'mine' })
    expect(keepEarlier(folder)).toBeUndefined()
  })
})
