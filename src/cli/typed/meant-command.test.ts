import { describe, expect, it } from 'vitest'
import { surfaces } from '../surface/all.js'
import { nameOf } from '../surface/surface.js'
import { meantCommand } from './meant-command.js'
import { scenarioNames } from './scenario-names.js'

const meant = (...words: string[]) => meantCommand(words, surfaces, scenarioNames())

describe('the first word of a command line', () => {
  it('is a command', () => {
    for (const surface of surfaces) expect(meant(nameOf(surface), '--out', 'smoke')).toBe(surface)
  })

  it('has to be there, before any flag', () => {
    expect(() => meant()).toThrow('say what to do: quotaspec run --target URL')
    expect(() => meant('--strict')).toThrow('say what to do')
    expect(() => meant('--strict', 'run')).toThrow('the command comes first: quotaspec run --strict …')
  })

  it.each([
    ['a scenario', 'smoke', 'smoke is a scenario: quotaspec run smoke --target URL'],
    [
      'the path of a scenario',
      'scenarios/ban.yaml',
      'scenarios/ban.yaml is a scenario: quotaspec run scenarios/ban.yaml',
    ],
    ['a misspelt scenario', 'conformence', 'there is no command conformence; did you mean quotaspec run conformance?'],
    ['a misspelt command', 'serv', 'there is no command serv; did you mean serve?'],
    ['an address', 'https://x.example/v1', 'quotaspec run --target https://x.example/v1'],
    ['anything else', 'xyzzyxyzzy', 'there is no command xyzzyxyzzy; quotaspec --help lists all of them'],
    ['a text without an end', 'x'.repeat(500), `there is no command ${'x'.repeat(60)}…;`],
  ])('is taken for what it is: %s', (_, word, told) => {
    expect(() => meant(word)).toThrow(told)
  })
})
