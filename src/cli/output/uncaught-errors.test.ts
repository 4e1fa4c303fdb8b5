import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepSecret } from '../../run/options/keys.js'
import { fileMistake, hideIn, secretsAtHand, withoutKeys } from './uncaught-errors.js'

const quotaHint = '--quota enterprise=minute:30x: type the agreed numbers, as in enterprise=minute:300,day:5000'
const quotaTyped = ['run', '--quota', 'enterprise=minute:30x', '--target', 'http://127.0.0.1:1/v1']

describe('what the process says', () => {
  it('is without a secret whose name only a contract tells', () => {
    keepSecret('pro-Secret-Kq83Wz')
    expect(withoutKeys('the target said pro-Secret-Kq83Wz twice')).toBe('the target said ‹key› twice')
  })
})

describe('a sentence about wrong usage', () => {
  it.each([
    'minute',
    'enterprise',
    'enter',
    'prise',
    'numbers',
    'agreed',
    'release-gate',
    'quota',
    'target',
    '5000',
    '50000',
    '127.0',
  ])('keeps every word of its own where the key is %j', (secret) => {
    expect(hideIn(quotaHint, [secret], [...quotaTyped, `--key=free=${secret}`])).toBe(quotaHint)
  })

  it.each([
    [
      'a key that looks like one, wherever it stands',
      'no scenario Kq83Wz71Pm/x',
      'Kq83Wz71Pm',
      [],
      'no scenario ‹key›/x',
    ],
    ['the same in another spelling', 'no scenario %4bq83Wz71Pm', 'Kq83Wz71Pm', [], 'no scenario ‹key›'],
    ['a word that was typed as a value', 'no scenario tulip: tulip?', 'tulip', ['tulip'], 'no scenario ‹key›: ‹key›?'],
    ['a word behind a plan that is none', '--key gold=tulip', 'tulip', ['gold=tulip'], '--key gold=‹key›'],
    ['digits that were typed as a value', 'no scenario 48151', '48151', ['48151'], 'no scenario ‹key›'],
  ])('is without %s', (_, text, secret, typed, clean) => {
    expect(hideIn(text, [secret], typed)).toBe(clean)
  })

  it('keeps the names of clauses', () => {
    const hint =
      '--only RATE-99: no clause, area or check has that name; an id looks like RATE-5, RATE or rate.headers-present'
    for (const secret of ['rate-5', 'rate.headers-present', 'clause'])
      expect(hideIn(hint, [secret], ['--only', 'RATE-99'])).toBe(hint)
  })

  it('keeps a name that holds the key, or is a word of the program', () => {
    expect(hideIn('no scenario tulips', ['tulip'], ['tulips'])).toBe('no scenario tulips')
    expect(hideIn('is "release-gate" now', ['release-gate'], ['release-gate'])).toBe('is "release-gate" now')
  })
})

describe('the keys that a process was given', () => {
  it.each([
    ['in the environment', [], { QUOTASPEC_KEY_PRO: 'abc' }, ['abc']],
    ['as a flag', ['--key', 'free=abc', '--key=pro=def'], {}, ['abc', 'def']],
    ['as those of a contract', ['--key', 'team=abc', '--key=batch=def=='], {}, ['abc', 'def==']],
    ['in a wrong place', ['run', 'free=abc', '--quota', 'enterprise=abc', '--out=free=def'], {}, ['abc', 'abc', 'def']],
    [
      'behind a space',
      ['--key', 'free=', 'abc', '--key=pro=', 'def', '--key', 'free', 'ghi'],
      {},
      ['abc', 'def', 'ghi'],
    ],
    ['not behind a whole key', ['--key', 'free=abc', 'smoke', '--key=pro=def', 'other'], {}, ['abc', 'def']],
    ['behind a header', ['--header', 'Authorization:', 'Bearer', 'abc', '--out', 'x'], {}, ['Bearer', 'abc']],
    ['not as a quota', ['--quota', 'enterprise=minute:300,day:5000', '--quota=enterprise=minute:300'], {}, []],
    ['not as a quota that is misspelt', ['--quota', 'enterprise=300', '--quota', 'enterprise=day:5,minute'], {}, []],
    ['as what only looks like a quota', ['--key', 'enterprise=minute:300'], {}, ['minute:300']],
  ])('are found %s', (_, argv, environment, secrets) => {
    expect(secretsAtHand(argv, environment)).toEqual(secrets)
  })
})

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
