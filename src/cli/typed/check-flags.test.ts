import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { surfaces } from '../surface/all.js'
import { nameOf } from '../surface/surface.js'
import { checkFlags } from './check-flags.js'

const check = (command: string, words: readonly string[]): string | undefined => {
  const surface = surfaces.find((each) => nameOf(each) === command)
  if (!surface) throw new Error(`there is no command ${command}`)
  try {
    checkFlags(words, surface)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
}

const target = ['--target', 'http://127.0.0.1:1/v1']

describe('flags as they were typed', () => {
  it.each([
    ['a flag that is none', 'run', ['--targt', 'x'], '--targt is no flag of quotaspec run: did you mean --target?'],
    ['a flag far from any', 'run', ['--zzzzzzz'], 'quotaspec run --help lists those that it takes'],
    ['a flag of another command', 'judge', ['--allow-load'], '--allow-load is no flag of quotaspec judge'],
    ['a flag without its value', 'run', ['--target'], '--target needs a value behind it, such as --target http://'],
    ['a flag with the next one in place of its value', 'run', ['--out', '--strict'], '--out needs a value behind it'],
    ['a value for a flag that takes none', 'run', ['--strict=maybe'], '--strict takes no value: type --strict alone'],
    ['a format that is none', 'compare', ['--as', 'pdf'], '--as pdf: known are terminal, markdown, json, html'],
    ['a misspelt format', 'compare', ['--as=jsn'], '--as jsn: did you mean json?'],
    ['a flag given twice', 'run', [...target, '--out', 'a', '--out=b'], '--out was given twice, and takes one value'],
    ['a flag given three times', 'serve', ['--port=1', '--port=2', '--port=3'], '--port was given 3 times'],
    [
      'a flag in camel case and again',
      'serve',
      ['--timeScale', '1', '--time-scale', '2'],
      '--time-scale was given twice',
    ],
    ['a value for the switch of such a flag', 'run', ['--no-config=x'], '--no-config takes no value'],
    ['no target', 'plan', [], '--target is missing'],
  ])('are refused: %s', (_, command, words, told) => {
    expect(check(command, words)).toContain(told)
  })

  it.each([
    ['what run takes', 'run', [...target, '--only', 'RATE', '--only=AUTH', '--no-strict', '--seed', '7']],
    ['a flag in camel case', 'serve', ['--timeScale', '10']],
    ['a negative number, for its command to judge', 'compare', ['--relative', '-1']],
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

  it.each(numbers)('say that text is no number, and what is one: quotaspec %s --%s', (command, name, sample) => {
    expect(sample).toMatch(/^\d+$/)
    for (const text of ['80x', 'x', '', '0x10', 'Infinity', '1,5'])
      expect(check(command, [`--${name}=${text}`])).toBe(
        `--${name} ${text}: that is no number; type one, such as --${name} ${sample}`,
      )
  })

  it('never repeat what may be a secret in the wrong place', () => {
    expect(check('run', ['--strict=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
    expect(check('run', ['--kye=free=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
    expect(check('run', ['--ca=Kq83Wz71Pm', '--ca=Kq83Wz71Pm'])).not.toContain('Kq83Wz71Pm')
  })
})
