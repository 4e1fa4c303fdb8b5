import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../src/kit/usage-error.js'
import { openResults, type StressResult } from './results.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-results-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const result = (id: string): StressResult => ({
  condition: 'quiet',
  kind: 'variation',
  id,
  seed: 1,
  timeScale: 10,
  build: 'b1',
  commit: null,
  expected: [],
  failing: [],
  open: [],
  passing: ['INV-1'],
  exact: true,
  exitCode: 0,
  seconds: 40,
})

describe('a file of results', () => {
  it('is made where it is not, in a folder that is not, and read again as it was written', () => {
    const file = join(folder, 'deep', 'new.jsonl')
    const { earlier, add } = openResults(file)
    expect(earlier).toEqual([])
    add(result('gzip'))
    add(result('chunked'))
    expect(openResults(file).earlier).toEqual([result('gzip'), result('chunked')])
  })

  it('goes on behind the last whole line', () => {
    const file = join(folder, 'cut.jsonl')
    writeFileSync(file, `${JSON.stringify(result('gzip'))}\n{"condition":"qui`)
    const { earlier, add } = openResults(file)
    add(result('chunked'))
    expect(earlier).toEqual([result('gzip')])
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id),
    ).toEqual(['gzip', 'chunked'])
  })

  it('is turned down with its line where it holds something else', () => {
    const file = join(folder, 'other.jsonl')
    writeFileSync(file, `${JSON.stringify(result('gzip'))}\n{"some":"thing"}\n`)
    expect(() => openResults(file)).toThrow(UsageError)
    expect(() => openResults(file)).toThrow('line 2')
  })
})
