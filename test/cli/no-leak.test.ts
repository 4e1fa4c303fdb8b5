import { describe, it } from 'vitest'
import { filesIn, freshFolder, quotaspec, quotaspecEach, whileServing } from './built-program.js'
import { whileListening } from './listening.js'

const secret = 'no-leak-Hs21Jd32Kf43+/=~'

const hex = (text: string) => Buffer.from(text).toString('hex')
const percent = (text: string) => hex(text).replace(/../g, '%$&')
const unicode = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** The ways in which a target could send a key back. */
const spellings: Readonly<Record<string, string>> = {
  plain: secret,
  'in capitals': secret.toUpperCase(),
  'percent-encoded where needed': encodeURIComponent(secret),
  'percent-encoded throughout': percent(secret),
  'as hexadecimal digits': hex(secret),
  'in base64': Buffer.from(secret).toString('base64'),
  'in base64 within a header': Buffer.from(`Bearer ${secret}`).toString('base64'),
  'in base64url': Buffer.from(secret).toString('base64url'),
  'as JSON escapes': unicode(secret),
}

/** What of a key in base64 is the same wherever it stands in what was encoded; the rest depends on its neighbours. */
const sought = Object.entries(spellings).filter(([name]) => !name.includes('within'))

const leaksIn = (texts: ReadonlyMap<string, string>): string[] =>
  [...texts].flatMap(([where, text]) =>
    sought.filter(([, spelt]) => text.toLowerCase().includes(spelt.toLowerCase())).map(([name]) => `${where}: ${name}`),
  )

/** Everything that a run printed and wrote, by where it stands. */
const everything = (out: string, printed: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map([
    ...[...filesIn(out)].map(([path, bytes]) => [path, bytes.toString('latin1')] as const),
    ...Object.entries(printed),
  ])

describe('a key', { concurrent: true }, () => {
  it('is in nothing that a run against a healthy target writes or prints', async ({ expect }) => {
    await whileServing(['--time-scale', '10', '--key', `free=${secret}`], async (target) => {
      const out = freshFolder()
      const run = ['run', 'conformance', '--target', target, '--time-scale', '10', '--out', out]
      const { code, stdout, stderr } = await quotaspec([...run, '--key', `free=${secret}`])
      expect(code).toBe(0)
      expect(leaksIn(everything(out, { stdout, stderr }))).toEqual([])
      const html = await quotaspec(['report', out, '--as', 'html'])
      expect(leaksIn(new Map([['report', html.stdout]]))).toEqual([])
    })
  })

  it('is in nothing that is written or printed where the target echoes it in every spelling', async ({ expect }) => {
    await whileListening(
      (_request, response) => {
        const [plain] = Object.values(spellings)
        response.setHeader('X-Echo', plain)
        for (const [at, spelt] of Object.values(spellings).entries()) response.setHeader(`X-Echo-${at}`, spelt)
        response.statusCode = 401
        // A chunk border goes through the key.
        response.write(
          `{"code":"x","status":401,"message":"${Object.values(spellings).slice(1).join(' ')} ${plain.slice(0, 9)}`,
        )
        response.end(`${plain.slice(9)}"}`)
      },
      async (target) => {
        const out = freshFolder()
        const run = ['run', 'conformance', '--target', target, '--time-scale', '100', '--out', out]
        const { stdout, stderr } = await quotaspec(run, { env: { QUOTASPEC_KEY_FREE: secret } })
        const written = everything(out, { stdout, stderr })
        expect([...written.keys()]).toEqual(expect.arrayContaining(['journal.jsonl', 'report.html', 'report.json']))
        expect(written.get('journal.jsonl')).toContain('X-Echo')
        expect(leaksIn(written)).toEqual([])
      },
    )
  })

  it('is in no sentence about wrong usage', async ({ expect }) => {
    const target = ['--target', 'http://127.0.0.1:1/v1']
    const misuses: readonly ((key: string) => readonly string[])[] = [
      (key) => ['run', ...target, '--key', key],
      (key) => ['run', ...target, '--key', `gold=${key}`],
      (key) => ['run', ...target, '--key', `free=${key} `],
      (key) => ['run', ...target, '--key', `enterprise=${key}`],
      (key) => ['run', ...target, '--key', `free=${key}`, '--key', `pro=${key}`],
      (key) => ['serve', '--port', '0', '--key', key],
      (key) => ['run', ...target, '--key', `free=${key}`, '--quota', `enterprise=${key}`],
      (key) => ['run', key, ...target, '--key', `free=${key}`],
    ]
    // Each has a key of its own, for one that was known before would be hidden; of three letters more, so that it is the
    // same in base64.
    const ended = await quotaspecEach(misuses.map((misuse, i) => ({ args: misuse(`k-${i}${secret}`) })))
    for (const { code, stdout, stderr } of ended) {
      expect(code).toBe(3)
      expect(leaksIn(new Map(Object.entries({ stdout, stderr })))).toEqual([])
    }
  })

  it('that is a word takes no word from a sentence about wrong usage', async ({ expect }) => {
    const told = '--quota enterprise=minute:300: type the agreed numbers, as in enterprise=minute:300,day:5000'
    const args = ['run', '--target', 'http://127.0.0.1:1/v1', '--quota', 'enterprise=minute:300']
    const words = ['minute', 'enterprise', 'numbers', '50000']
    const ended = await quotaspecEach(words.map((word) => ({ args, env: { QUOTASPEC_KEY_FREE: word } })))
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([3, `quotaspec: ${told}\n`])
  })
})
