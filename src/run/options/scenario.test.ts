import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UsageError } from '../../kit/usage-error.js'
import { loadScenario } from './scenario.js'

const known = new Map([
  ['hello', z.strictObject({})],
  ['burst', z.strictObject({ overshoot: z.number().min(1.05).max(10).default(1.5), connections: z.int().default(50) })],
])

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-scenario-'))
  writeFileSync(join(folder, 'smoke.yaml'), 'name: smoke\ndescription: a few\nprobes:\n  - probe: hello\n')
  writeFileSync(join(folder, 'notes.txt'), 'not one')
})
afterAll(() => rmSync(folder, { recursive: true }))

const load = (text: string) => {
  const file = join(folder, 'mine.yml')
  writeFileSync(file, text)
  return loadScenario(file, folder, known)
}

/** The message of the usage error, without the folder. */
const refusal = (text: string): string => {
  try {
    load(text)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message.replace(`${folder}/`, '')
  }
  throw new Error('nothing was thrown')
}

const head = 'name: mine\ndescription: mine\n'

describe('a scenario', () => {
  it('is read with the defaults of its probes filled in', () => {
    expect(load(`${head}probes:\n  - probe: hello\n  - probe: burst\n    overshoot: 2\n`)).toMatchObject({
      name: 'mine',
      strict: false,
      probes: [{ probe: 'hello' }, { probe: 'burst', overshoot: 2, connections: 50 }],
      file: join(folder, 'mine.yml'),
    })
  })

  it('names an event by its command where it does not by itself', () => {
    const events = 'events:\n  - {during: burst, at: 0.5, run: [./bin/Re_start.sh]}\n'
    expect(load(`${head}probes:\n  - probe: burst\n${events}`).events).toEqual([
      { name: 're-start', during: 'burst', at: 0.5, run: ['./bin/Re_start.sh'], withinMs: 30_000 },
    ])
  })

  it('has no event during a probe that it does not play', () => {
    const events = 'events:\n  - {during: burts, at: 0.5, run: [./restart.sh]}\n'
    expect(refusal(`${head}probes:\n  - probe: burst\n${events}`)).toBe(
      'mine.yml:6: events.0.during: the scenario plays no probe burts: did you mean burst?',
    )
  })

  it('is found by its name among the bundled ones, or by its path', () => {
    expect(loadScenario('smoke', folder, known).name).toBe('smoke')
    expect(loadScenario(join(folder, 'smoke.yaml'), folder, known).name).toBe('smoke')
  })

  it.each(['smoek', '/no/such/file.yaml', '../smoke', ''])('that is called %j is not there', (name) => {
    expect(() => loadScenario(name, folder, known)).toThrow(
      `there is no scenario ${name}: give the path of a YAML file, or one of smoke`,
    )
  })

  it('is no folder', () => {
    expect(() => loadScenario('.', folder, known)).toThrow(
      '. is a folder, not a scenario: give the path of a YAML file',
    )
  })
})

describe('a broken scenario is refused with file, line and field', () => {
  it.each([
    [
      'an unknown field',
      `${head}probs:\n  - probe: hello\nprobes:\n  - probe: hello\n`,
      'mine.yml:3: probs is not a field of a scenario: did you mean probes?',
    ],
    [
      'an unknown probe',
      `${head}probes:\n  - probe: hello\n  - probe: brust\n`,
      'mine.yml:5: probes.1.probe: there is no probe brust: did you mean burst?',
    ],
    [
      'an unknown setting',
      `${head}probes:\n  - probe: burst\n    connections: 5\n    overshot: 2\n`,
      'mine.yml:6: probes.0.overshot is not a field of a scenario: did you mean overshoot?',
    ],
    [
      'a setting of a probe without any',
      `${head}probes:\n  - probe: hello\n    amount: 2\n`,
      'mine.yml:5: probes.0.amount is not a field of a scenario: none is known here',
    ],
  ])('%s', (_name, text, message) => {
    expect(refusal(text)).toBe(message)
  })

  it.each([
    [
      'a setting out of bounds',
      `${head}probes:\n  - probe: hello\n  - probe: burst\n    overshoot: 0.5\n`,
      /^mine\.yml:6: probes\.1\.overshoot: /,
    ],
    [
      'a setting of another type',
      `${head}probes:\n  - probe: burst\n    connections: many\n`,
      /^mine\.yml:5: probes\.0\.connections: /,
    ],
    ['a probe that is no text', `${head}probes:\n  - probe: 5\n`, /^mine\.yml:4: probes\.0\.probe: /],
    ['a probe that is no object', `${head}probes:\n  - hello\n`, /^mine\.yml:4: probes\.0: /],
    ['no probes', `${head}probes: []\n`, /^mine\.yml:3: probes: needs at least one probe$/],
    ['a missing field', 'name: mine\nprobes:\n  - probe: hello\n', /^mine\.yml:1: description: /],
    [
      'a bad name',
      'description: mine\nname: My Name\nprobes:\n  - probe: hello\n',
      /^mine\.yml:2: name: must be lower-case/,
    ],
    ['a list', '- a\n', /^mine\.yml:1: the file /],
    ['nothing at all', '', /^mine\.yml:1: the file /],
    ['broken YAML', `${head}probes: [\n`, /^mine\.yml:\d: /],
    [
      'a field twice',
      `${head}name: again\nprobes:\n  - probe: hello\n`,
      /^mine\.yml:3: this field appears twice: remove one of them$/,
    ],
    [
      'aliases that explode',
      `${head}a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n`,
      /^mine\.yml: Excessive alias count/,
    ],
    ['too much', `${head}# ${'x'.repeat(300_000)}\n`, /^mine\.yml: a scenario file may have at most 256 KiB$/],
  ])('%s', (_name, text, message) => {
    expect(refusal(text)).toMatch(message)
  })
})
