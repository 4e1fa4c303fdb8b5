import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { surfaces } from './all.js'
import { nameOf } from './command.js'
import { scenarioNames } from './help.js'
import { meantCommand, readWords } from './words.js'

const surfaceOf = (command: string) => {
  const surface = surfaces.find((each) => nameOf(each) === command)
  if (!surface) throw new Error(`there is no command ${command}`)
  return surface
}

/** What is said against these words; undefined where they are taken. */
const check = (command: string, words: readonly string[]): string | undefined => {
  try {
    readWords(words, surfaceOf(command))
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
}

const meant = (...words: string[]) => meantCommand(words, surfaces, scenarioNames())

describe('the first word of a command line', () => {
  it('is a command', () => {
    for (const surface of surfaces) expect(meant(nameOf(surface), '--out', 'smoke')).toBe(surface)
  })

  it('has to be there, before any flag', () => {
    expect(() => meant()).toThrow('a command is missing: quotaspec run --target URL')
    expect(() => meant('--strict')).toThrow('a command is missing')
    expect(() => meant('--strict', 'run')).toThrow('the command comes first: quotaspec run --strict …')
  })

  it.each([
    ['a scenario', 'smoke', 'smoke is a scenario: quotaspec run smoke --target URL'],
    [
      'the path of a scenario',
      'scenarios/ban.yaml',
      'scenarios/ban.yaml is a scenario: quotaspec run scenarios/ban.yaml',
    ],
    ['a misspelt scenario', 'conformence', 'unknown command conformence; did you mean quotaspec run conformance?'],
    ['a misspelt command', 'serv', 'unknown command serv; did you mean serve?'],
    ['an address', 'https://x.example/v1', 'quotaspec run --target https://x.example/v1'],
    ['anything else', 'xyzzyxyzzy', 'unknown command xyzzyxyzzy; quotaspec --help lists all commands'],
    ['a text without an end', 'x'.repeat(500), `unknown command ${'x'.repeat(60)}…;`],
  ])('is taken for what it is: %s', (_, word, told) => {
    expect(() => meant(word)).toThrow(told)
  })
})

const target = ['--target', 'http://127.0.0.1:1/v1']

describe('flags as they were typed', () => {
  it.each([
    [
      'a flag that is none',
      'run',
      ['--targt', 'x'],
      'Unknown option --targt for quotaspec run. Did you mean --target?',
    ],
    [
      'a flag far from any',
      'run',
      ['--zzzzzzz'],
      'Unknown option --zzzzzzz for quotaspec run. quotaspec run --help lists its options.',
    ],
    ['a misspelt --help', 'run', ['--hepl'], 'Did you mean --help?'],
    ['a flag of another command', 'judge', ['--allow-load'], 'Unknown option --allow-load for quotaspec judge.'],
    ['a flag without its value', 'run', ['--target'], '--target needs a value, such as --target http://'],
    ['a flag with the next one in place of its value', 'run', ['--out', '--strict'], '--out needs a value'],
    ['a value for a flag that takes none', 'run', ['--strict=maybe'], '--strict takes no value: type --strict alone'],
    ['a format that is none', 'compare', ['--as', 'pdf'], '--as pdf: known are terminal, markdown, json, html'],
    ['a misspelt format', 'compare', ['--as=jsn'], '--as jsn: did you mean json?'],
    ['a flag given twice', 'run', [...target, '--out', 'a', '--out=b'], '--out was given twice, and takes one value'],
    ['a flag given three times', 'serve', ['--port=1', '--port=2', '--port=3'], '--port was given 3 times'],
    ['a flag in camel case', 'serve', ['--timeScale', '1'], 'Did you mean --time-scale?'],
    ['a word behind a flag that takes none', 'run', ['smoke', '--strict', 'true'], 'does not take true'],
    ['a value for the switch of such a flag', 'run', ['--no-config=x'], '--no-config takes no value'],
    ['a number that is too small', 'compare', ['a', 'b', '--relative', '-1'], '--relative -1: a number from 0 up'],
    ['a number that is too large', 'serve', ['--port', '65536'], '--port 65536: a port from 0 to 65535'],
    ['a scale that is no time', 'serve', ['--time-scale=0'], '--time-scale 0: a number above 0'],
    ['a fraction of a request', 'agent', ['--most-requests', '1.5'], '--most-requests 1.5: a whole number of requests'],
    ['a limit of none', 'discover', ['--limit', '0'], '--limit 0: a whole number of requests, such as 60'],
    ['a choice of trials that are not played', 'faults', ['--id', 'RATE-2'], '--id works only with --run: add --run'],
    ['a number of trials that are not played', 'faults', ['--at-once=3'], '--at-once works only with --run: add --run'],
    ['no target', 'plan', [], '--target is missing'],
    ['no format', 'report', ['reports/latest'], '--as is missing; type one, such as --as html'],
  ])('are refused: %s', (_, command, words, told) => {
    expect(check(command, words)).toContain(told)
  })

  it.each([
    ['what run takes', 'run', [...target, '--only', 'RATE', '--only=AUTH', '--no-strict', '--seed', '7']],
    ['a negative number, for its command to judge', 'run', [...target, '--seed', '-1']],
    ['a fraction', 'serve', ['--time-scale', '0.5']],
    ['a value that begins with a word and holds an equals sign', 'serve', ['--key=free=abc=def']],
    ['a dash, as a file', 'discover', ['--out', '-']],
    ['whatever stands behind two dashes', 'client', ['--', 'node', '--no-such-flag']],
    ['a switch for a flag that takes a value', 'run', [...target, '--no-config']],
    ['a switch twice', 'run', [...target, '--strict', '--strict']],
  ])('are accepted: %s', (_, command, words) => {
    expect(check(command, words)).toBeUndefined()
  })

  const numbers = surfaces.flatMap((surface) =>
    Object.entries(surface.options ?? {})
      .filter(([, { type }]) => type === 'number')
      .map(([name, { sample }]) => [nameOf(surface), name, sample] as const),
  )

  it.each(numbers)('say that text is not a number, and what is one: quotaspec %s --%s', (command, name, sample) => {
    expect(sample).toMatch(/^\d+$/)
    for (const text of ['80x', 'x', '', '0x10', 'Infinity', '1,5'])
      expect(check(command, [`--${name}=${text}`])).toBe(
        `--${name} ${text}: not a number; type one, such as --${name} ${sample}`,
      )
  })

  it('never repeat what may be a secret in the wrong place', () => {
    expect(check('run', ['--strict=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
    expect(check('run', ['--kye=free=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
    expect(check('run', ['--ca=Kq83Wz71Pm', '--ca=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
  })
})

describe('the words behind a command', () => {
  it.each([
    [
      'report',
      [],
      'quotaspec report needs another argument: type quotaspec report <dir>, as in quotaspec report reports/latest',
    ],
    ['judge', [], 'say which run: quotaspec judge reports/latest; or which logs'],
    ['compare', ['--as', 'json'], 'quotaspec compare needs another argument'],
    ['judge', ['a', 'b'], 'say which run'],
    ['report', ['a', 'b'], 'quotaspec report does not take b: type quotaspec report <dir>'],
    ['run', ['smoke', 'extra'], 'quotaspec run does not take extra'],
    ['run', ['--strict', 'smoke', '--out', 'x', 'extra'], 'quotaspec run does not take extra'],
    ['run', ['smoke', 'http://a/v1'], 'quotaspec run takes http://a/v1 as --target http://a/v1'],
    ['plan', ['HTTPS://a/v1'], 'quotaspec plan takes HTTPS://a/v1 as --target HTTPS://a/v1'],
    ['serve', ['http://a/v1'], 'quotaspec serve does not take http://a/v1'],
    ['serve', ['smoke'], 'quotaspec serve does not take smoke'],
    ['schema', ['contrat'], 'unknown argument contrat; did you mean contract?'],
    ['serve', ['x'.repeat(99)], `does not take ${'x'.repeat(60)}…:`],
  ] as const)('of %s have to fit its places: %j', (command, words, told) => {
    expect(check(command, words)).toContain(told)
  })

  it.each([
    ['run', target],
    ['run', ['smoke', ...target]],
    ['run', ['--target', 'http://127.0.0.1:1/v1', '--strict', 'smoke', '--no-config']],
    ['run', ['--strict', 'smoke', '--out=x', ...target]],
    ['compare', ['a', 'b', 'c', '--relative', '20']],
    ['client', ['--', 'node', 'client.js', '--flag']],
  ])('of %s are taken where they fit: %j', (command, words) => {
    expect(check(command, words)).toBeUndefined()
  })
})

describe('what words mean', () => {
  it.each([
    [
      'run',
      ['smoke', '--only', 'RATE', '--only=AUTH', '--seed', '7'],
      { scenario: 'smoke', only: ['RATE', 'AUTH'], seed: 7 },
    ],
    ['run', ['--no-config', '--strict'], { config: false, strict: true }],
    ['compare', ['a', 'b', '--relative', '0.5'], { runs: ['a', 'b'], relative: 0.5, as: 'terminal' }],
    ['serve', ['--time-scale', '10', '--key', 'free=a=b'], { 'time-scale': 10, key: ['free=a=b'], port: 8080 }],
    ['client', ['--', 'node', 'x.js', '--flag'], { words: ['node', 'x.js', '--flag'] }],
    ['judge', ['reports/latest'], { dir: ['reports/latest'] }],
    ['run', ['--no-strict', '--read-only', 'smoke'], { strict: false, 'read-only': true, scenario: 'smoke' }],
    ['run', [], { only: undefined, scenario: undefined }],
  ] as const)('is what its flags and places say: %s %j', (command, words, args) => {
    const given = command === 'run' ? [...words, ...target] : words
    expect(readWords(given, surfaceOf(command))).toMatchObject(args)
  })
})
