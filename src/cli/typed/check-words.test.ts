import { describe, expect, it } from 'vitest'
import { surfaces } from '../surface/all.js'
import { nameOf } from '../surface/surface.js'
import { checkWords } from './check-words.js'
import { parseWords } from './parser.js'

const surfaceOf = (command: string) => {
  const surface = surfaces.find((each) => nameOf(each) === command)
  if (!surface) throw new Error(`there is no command ${command}`)
  return surface
}

describe('the words behind a command', () => {
  it.each([
    ['judge', [], 'quotaspec judge needs more words: type quotaspec judge <dir>, as in quotaspec judge reports/latest'],
    ['compare', ['--as', 'json'], 'quotaspec compare needs more words'],
    ['judge', ['a', 'b'], 'quotaspec judge has no place for b: type quotaspec judge <dir>'],
    ['run', ['smoke', 'extra'], 'quotaspec run has no place for extra'],
    ['run', ['--strict', 'smoke', '--out', 'x', 'extra'], 'quotaspec run has no place for extra'],
    ['serve', ['smoke'], 'quotaspec serve has no place for smoke'],
    ['serve', ['x'.repeat(99)], `has no place for ${'x'.repeat(60)}…:`],
  ] as const)('of %s have to fit its places: %j', (command, words, told) => {
    expect(() => checkWords(words, surfaceOf(command))).toThrow(told)
  })

  it.each([
    ['run', []],
    ['run', ['smoke']],
    ['run', ['--target', 'http://127.0.0.1:1/v1', '--strict', 'smoke', '--no-config']],
    ['run', ['--strict', 'true', 'smoke', '--out=x']],
    ['compare', ['a', 'b', 'c', '--relative', '-1']],
    ['client', ['--', 'node', 'client.js', '--flag']],
  ] as const)('of %s are taken where they fit: %j', (command, words) => {
    expect(() => checkWords(words, surfaceOf(command))).not.toThrow()
  })
})

describe('what words mean', () => {
  it.each([
    [
      'run',
      ['smoke', '--only', 'RATE', '--only=AUTH', '--seed', '7'],
      { scenario: 'smoke', only: ['RATE', 'AUTH'], seed: 7 },
    ],
    ['run', ['--no-config', '--strict'], { config: false, strict: true, _: ['run'] }],
    ['compare', ['a', 'b', '--relative', '-1'], { runs: ['a', 'b'], relative: -1, as: 'terminal' }],
    ['serve', ['--timeScale', '10', '--key', 'free=a=b'], { 'time-scale': 10, key: ['free=a=b'], port: 8080 }],
    ['client', ['--', 'node', 'x.js', '--flag'], { _: ['client', 'node', 'x.js', '--flag'] }],
    ['judge', ['reports/latest'], { dir: 'reports/latest' }],
  ] as const)('is what its flags and places say: %s %j', async (command, words, args) => {
    expect(await parseWords(words, surfaceOf(command))).toMatchObject(args)
  })
})
