import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileMistake } from './file-mistakes.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-mistakes-'))
writeFileSync(join(folder, 'file'), '')

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('an error of the file system', () => {
  it.each([
    ['a folder that is not there', () => writeFileSync(join(folder, 'no', 'x'), ''), 'there is no such file or folder'],
    ['a folder in place of a file', () => readFileSync(folder), /used|EISDIR/],
    [
      'a file in place of a folder',
      () => mkdirSync(join(folder, 'file', 'x')),
      "can't be written: a part of that path",
    ],
  ])('that the user can mend is told in a sentence: %s', (_, act, told) => {
    const error = thrownBy(act)
    const sentence = fileMistake(error, '/the/program')
    if (error instanceof Error && 'path' in error) expect(sentence).toMatch(told)
    else expect(sentence).toBeUndefined()
  })

  it('in the files of the program is a defect, and so is one of another kind', () => {
    expect(
      fileMistake(
        thrownBy(() => readFileSync(join(folder, 'gone'))),
        folder,
      ),
    ).toBeUndefined()
    expect(
      fileMistake(Object.assign(new Error('full'), { code: 'ENOSPC', path: '/x' }), '/the/program'),
    ).toBeUndefined()
    expect(fileMistake(new TypeError('x is not a function'), '/the/program')).toBeUndefined()
    rmSync(folder, { recursive: true })
  })
})
