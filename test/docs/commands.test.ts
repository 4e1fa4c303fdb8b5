import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { surfaces } from '../../src/cli/flags/all.js'
import { scenarioNames } from '../../src/cli/flags/help.js'
import { meantCommand, readWords } from '../../src/cli/flags/words.js'
import { type LineEnd, play, playEach, savedRun, takesShell, wordsOf } from './command-stage.js'
import { type Way, ways } from './how-commands-run.js'
import { commandsIn, root, shownCommands } from './shown-commands.js'

const shown = [...shownCommands()]
const wayOf = (command: string): Way | undefined => ways.find(([pattern]) => pattern.test(command))?.[1]

describe('the commands of the docs', () => {
  it('are found in blocks of the shell, without comments and padding, and nowhere else', () => {
    const text = [
      '```yaml',
      'quotaspec: 1',
      '```',
      'quotaspec in prose',
      '```',
      'npx quotaspec run  --target URL    # what it does',
      '  quotaspec plan',
      '```',
      '```js',
      'quotaspec faults',
      '```',
    ]
    expect(commandsIn(text.join('\n'))).toEqual(['quotaspec run --target URL', 'quotaspec plan'])
    expect(shown.length).toBeGreaterThan(60)
  })

  it.each(shown)('%s (%s) has a way in which it is run', (command) => {
    expect(wayOf(command)).toBeDefined()
  })

  it.each(ways.map(([pattern, way]) => [pattern.source, pattern, way] as const))(
    'are not left by the way of %s, and the test that it names is there',
    (_, pattern, way) => {
      expect(shown.filter(([command]) => ways.find(([each]) => each.test(command))?.[0] === pattern)).not.toEqual([])
      const by = 'by' in way ? way.by : undefined
      if (by) expect(existsSync(join(root, by.file)) && readFileSync(join(root, by.file), 'utf8')).toContain(by.title)
    },
  )

  it.each(shown)(
    '%s (%s) leaves a key for quotaspec to look up: in double quotes the shell would show it',
    (command) => {
      expect(command).not.toMatch(/"[^"]*\$\{?\w*KEY/)
    },
  )

  it.each(shown.filter(([command]) => !command.includes(' --version')))('%s (%s) is understood', (command) => {
    const words = wordsOf(command)
    const meant = meantCommand(words, surfaces, scenarioNames())
    expect(() => readWords(words.slice(1), meant)).not.toThrow()
  })
})

/** So many programs play the commands. */
const atOnce = 4

describe('a command of the docs', { concurrent: true }, () => {
  const ending = shown.filter(([command]) => ['played', 'planned'].includes(wayOf(command)?.as ?? ''))
  const lineOf = (command: string) =>
    wayOf(command)?.as === 'planned' ? command.replace('quotaspec run', 'quotaspec plan') : command

  let run = ''
  let played: ReadonlyMap<string, LineEnd> = new Map()
  beforeAll(async () => {
    run = await savedRun()
    const lines = [...new Set(ending.map(([command]) => lineOf(command)))].filter((line) => !takesShell(line))
    // Those of a group go one after the other: some wait for what they ask.
    const groups = await Promise.all(
      Array.from({ length: atOnce }, (_, group) =>
        playEach(
          lines.filter((_line, at) => at % atOnce === group),
          run,
        ),
      ),
    )
    played = new Map(groups.flatMap((each) => [...each]))
  })

  it.each(ending)('runs: %s (%s)', async (command) => {
    const line = lineOf(command)
    const { code, written } = played.get(line) ?? (await play(line, run))
    expect(code, written).toBe(0)
  })

  it.each(shown.filter(([command]) => wayOf(command)?.as === 'served'))('serves: %s (%s)', async (command) => {
    const { written } = await play(command, run, 'listening on ')
    expect(written).toContain('listening on http://')
  })
})
