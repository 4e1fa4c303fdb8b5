import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Discovered } from '../../discovery/discovered.js'
import { UsageError } from '../../kit/usage-error.js'
import { learn, settledContract } from '../commands/init.js'
import { createDialogue } from '../output/dialogue.js'
import { answersFrom, type InitFlags, initAnswers } from './init-questions.js'

/** What a person types, and what they see: a terminal in two streams. */
const terminal = (isTTY = true) => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  const shown: string[] = []
  output.setEncoding('utf8').on('data', (text: string) => shown.push(text))
  return { input, dialogue: createDialogue(input, output), shown: () => shown.join('') }
}

const environment = { ACME_KEY: 's3cret-key' }
const asking = (flags: Partial<InitFlags>, { dialogue }: ReturnType<typeof terminal>) =>
  initAnswers(answersFrom(dialogue), { probe: [], header: [], ...flags }, { canAsk: dialogue.isTTY, environment })

const stillRuns = { tls: {}, signal: new AbortController().signal }

/** The contract that comes of what was typed, line after line; the API itself is not asked. */
const contractOf = async (lines: readonly string[], flags: Partial<InitFlags> = {}) => {
  const screen = terminal()
  screen.input.write(lines.map((line) => `${line}\n`).join(''))
  const answers = await asking(flags, screen)
  const learned = await learn(answers, stillRuns)
  const { contract } = await settledContract(answersFrom(screen.dialogue), learned, flags, true)
  screen.dialogue.rest()
  return { contract, answers, shown: screen.shown() }
}

const typed = [
  'https://api.acme.example',
  'Authorization: Bearer $ACME_KEY',
  '/items?limit=1 /search',
  'github',
  'no',
  '60',
  '1m',
]

describe('init on a terminal', () => {
  it('asks for what is missing, one thing after the other, and writes what was said', async () => {
    const { contract, answers, shown } = await contractOf(typed)
    expect(answers).toMatchObject({ ci: 'github', discovers: false })
    for (const asked of ['Base address', 'Credential', 'Paths', 'pipelines', '20 gentle', 'Most requests', 'window'])
      expect(shown).toContain(asked)
    await expect(contract).toMatchFileSnapshot('testing/golden/contract.yaml')
    expect(contract + shown).not.toContain('s3cret-key')
  })

  it('asks nothing that a flag says', async () => {
    const [target, header, , ci] = typed
    const flags = { target, header: [header], probe: ['/items'], ci, discover: false, limit: '60', window: '1m' }
    expect((await contractOf([], flags)).shown).toBe('')
  })

  it('asks again where an answer can not be used, and says why', async () => {
    const { answers, shown } = await contractOf([
      'api.acme.example',
      '',
      ...typed.with(3, 'jenkins').toSpliced(4, 0, 'gitlab'),
    ])
    expect(answers.ci).toBe('gitlab')
    expect(shown).toMatch(/--target must (?:be an address|begin with)/)
    expect(shown).toContain('--ci jenkins: known are github, gitlab, none')
  })

  it('takes an empty answer for what it shows in brackets', async () => {
    const { answers, contract } = await contractOf(typed.with(1, '').with(3, ''))
    expect(answers).toMatchObject({ credentials: new Map(), ci: 'none' })
    expect(contract).toContain('anon: {scheme: none}')
    expect(contract).toContain('by: address')
  })

  it('ends where the terminal is closed before all is answered', async () => {
    const screen = terminal()
    const answers = asking({}, screen)
    screen.input.end('https://api.acme.example\n')
    await expect(answers).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('whoever leaves at the last questions', () => {
  const leaving = async (asked: number, lines: string) => {
    const screen = terminal()
    const learned = await learn(
      await asking({ target: typed[0], header: [typed[1]], probe: ['/items'], ci: 'none', discover: false }, screen),
      stillRuns,
    )
    const settled = settledContract(
      answersFrom(screen.dialogue),
      { ...learned, asked: { ...learned.asked, asked } },
      {},
      true,
    )
    screen.input.end(lines)
    return settled
  }

  it.each<[string, string, readonly string[]]>([
    ['both', '', ['limit of core', 'window of core']],
    ['the second', '60\n', ['window of core']],
  ])('keeps what was asked for: at %s', async (_, lines, gaps) => {
    expect(await leaving(8, lines)).toMatchObject({ gaps, wasLeft: true })
  })

  it('has nothing to keep where nothing was asked', async () => {
    await expect(leaving(0, '')).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('init without a terminal', () => {
  const flags = { target: typed[0], header: [typed[1]], probe: ['/items'], ci: 'none' }

  it.each(['target', 'header', 'probe', 'ci'] as const)('names the flag --%s where it is missing', async (name) => {
    const given = { ...flags, [name]: name === 'probe' || name === 'header' ? [] : undefined }
    await expect(asking(given, terminal(false))).rejects.toThrow(new RegExp(`^--${name} is missing: `))
  })

  it.each(['limit', 'window'] as const)('names the flag --%s where nothing shows it', async (name) => {
    const screen = terminal(false)
    const learned = await learn(await asking(flags, screen), stillRuns)
    const given = { limit: '60', window: '1m', [name]: undefined }
    await expect(settledContract(answersFrom(screen.dialogue), learned, given, false)).rejects.toThrow(
      `--${name} is missing`,
    )
  })

  it('needs neither where answers show them', async () => {
    const screen = terminal(false)
    const learned = await learn(await asking(flags, screen), stillRuns)
    const [core] = learned.found.quotas
    const shown = { limit: { is: { key: 7 }, because: 'shown' }, windowMs: { is: 5000, because: 'shown' } }
    const found: Discovered = { ...learned.found, quotas: [{ ...core, ...shown }] }
    const { contract, gaps } = await settledContract(answersFrom(screen.dialogue), { ...learned, found }, {}, false)
    expect(gaps).toEqual([])
    expect(contract).toContain('limit: 7')
    expect(contract).toContain('window: 5s')
  })

  it('asks nothing of the API unless it is told to', async () => {
    expect(await asking(flags, terminal(false))).toMatchObject({ discovers: false })
    expect(await asking({ ...flags, discover: true }, terminal(false))).toMatchObject({ discovers: true })
  })

  it.each<[string, Partial<InitFlags>, RegExp]>([
    ['a credential that is not at hand', { header: ['X-Key: $NOT_SET'], discover: true }, /NOT_SET is not set/],
    ['a preset that is none', { headers: 'draft-12' }, /--headers draft-12: did you mean draft-11\?/],
    ['a preset beside discovery', { headers: 'draft-11', discover: true }, /cannot be combined/],
    ['a path that is none', { probe: ['items'] }, /begins with a slash/],
  ])('refuses %s', async (_, more, message) => {
    const asked = asking({ ...flags, ...more }, terminal(false))
    await expect(asked).rejects.toThrow(UsageError)
    await expect(asked).rejects.toThrow(message)
  })

  it.each(['0', '1.5', 'x', '-3'])('refuses the limit %s before anything is asked of the API', async (limit) => {
    await expect(asking({ ...flags, limit }, terminal(false))).rejects.toThrow(/--limit .*: a whole number/)
  })
})
