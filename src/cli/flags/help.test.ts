import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readYaml } from '../../kit/yaml-file.js'
import { scenarioFolder } from '../../run/package.js'
import { surfaces } from './all.js'
import { nameOf } from './command.js'
import { asksHelp, helpFor, scenarioDescription, scenarioNames } from './help.js'

const scenarios = scenarioNames().map((name) => [name, scenarioDescription(name)] as const)
const helped = { surfaces, scenarios, width: 100 }

/** The words of an example, as a shell reads them, up to where its output goes. */
const wordsOf = (command: string): string[] =>
  (command.split(' >')[0].match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))

describe('help', () => {
  it('names every command and every scenario in a line that says what it does', () => {
    const text = helpFor(['--help'], helped)
    for (const { command } of surfaces) expect(text).toContain(`  ${command} `)
    for (const [name, description] of scenarios) expect(text).toContain(`${name.padEnd(15)}  ${description}`)
    expect(text.match(/^ {2}quotaspec /gm)?.length).toBe(2)
  })

  it.each(surfaces.map((surface) => [nameOf(surface), surface] as const))(
    'of %s names all its flags, each with what stands behind it, and shows how it is typed',
    (name, surface) => {
      const text = helpFor([name, '--help'], helped)
      for (const [flag, { type }] of Object.entries(surface.options ?? {}))
        expect(text).toMatch(new RegExp(`^  --${flag}${type === 'boolean' ? ' ' : ' \\S+'}`, 'm'))
      for (const [command, effect] of surface.examples) expect(text).toContain(`  ${command}\n      ${effect}`)
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    },
  )

  it('says of a scenario what its file says', () => {
    for (const [name, description] of scenarios)
      expect(readYaml(join(scenarioFolder, `${name}.yaml`), 'a scenario').value).toMatchObject({ description })
  })

  it('is asked for by a flag or a word, and not by what stands behind two dashes', () => {
    for (const words of [['--help'], ['run', '-h'], ['help', 'run'], ['run', '--target', 'x', '--help']])
      expect(asksHelp(words)).toBe(true)
    for (const words of [[], ['run', 'help'], ['client', '--', 'curl', '--help']]) expect(asksHelp(words)).toBe(false)
  })
})

describe('the table of commands', () => {
  it('leads to something that can be run, for each', async () => {
    for (const { load } of surfaces) expect(await load()).toBeTypeOf('function')
  })

  it('shows examples that their own command accepts', async () => {
    const { readWords } = await import('./words.js')
    for (const surface of surfaces)
      for (const [command] of surface.examples) {
        const [program, name, ...words] = wordsOf(command)
        expect([program, name]).toEqual(['quotaspec', nameOf(surface)])
        expect(() => readWords(words, surface), command).not.toThrow()
      }
  })
})
