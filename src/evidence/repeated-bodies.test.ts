import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.js'
import type { JournalRecord } from './journal.js'
import { journalName, openJournal, readRun } from './journal-file.js'
import { madeExchange } from './testing/made-exchange.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-bodies-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const recordOf = (x: Exchange): JournalRecord => ({ type: 'exchange', ...x })

/** Exchanges that share one body, as a run keeps them. */
const sharing = (body: string, ...ids: readonly string[]): JournalRecord[] => {
  const { response } = madeExchange({ body })
  return ids.map((id) => recordOf({ ...madeExchange({ id }), response }))
}

const written = (records: readonly JournalRecord[]): string => {
  const journal = openJournal(folder)
  for (const each of records) journal.write(each)
  journal.close()
  return readFileSync(join(folder, journalName), 'utf8')
}

const list = JSON.stringify(Array.from({ length: 200 }, (_, petId) => ({ petId, sameAs: 'x9' })))

describe('a body that several exchanges have', () => {
  it('is in the journal once, and in each of them when it is read', () => {
    const records = [...sharing(list, 'x1', 'x2', 'x3'), recordOf(madeExchange({ id: 'x4', body: list }))]
    const text = written(records)
    expect(text.split('petId').length - 1).toBe(2 * 200)
    const read = readRun(folder)
    expect(read.records).toEqual(records)
    expect(read.unreadable).toEqual([])
  })

  it('is one body still when it is read', () => {
    written(sharing(list, 'x1', 'x2'))
    const bodies = readRun(folder).records.map((each) => each.type === 'exchange' && each.response?.body)
    expect(bodies[1]).toBe(bodies[0])
  })

  it('is written each time where it is short', () => {
    expect(written(sharing('[]', 'x1', 'x2')).split('"content":"[]"')).toHaveLength(3)
  })

  it('is one body when it is read where it is short, and another where one says less', () => {
    written([...sharing('[]', 'x1'), ...sharing('[]', 'x2'), ...sharing('[1]', 'x3')])
    const bodies = readRun(folder).records.map((each) => each.type === 'exchange' && each.response?.body)
    expect(bodies[1]).toBe(bodies[0])
    expect(bodies[2]).toMatchObject({ content: '[1]' })
  })

  it('is missed, and not made up, where the line that holds it is lost', () => {
    const [, ...rest] = written(sharing(list, 'x1', 'x2')).split('\n')
    writeFileSync(join(folder, journalName), rest.join('\n'))
    expect(readRun(folder)).toMatchObject({
      records: [],
      unreadable: ['line 1: its body is that of x1, which is missing'],
      lostLoads: [],
    })
  })
})
