import { describe, it } from 'vitest'
import { filesIn, freshFolder, quotaspec, whileServing } from './built-program.js'
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
    const misuses = [
      ['run', ...target, '--key', secret],
      ['run', ...target, '--key', `gold=${secret}`],
      ['run', ...target, '--key', `free=${secret} `],
      ['run', ...target, '--key', `enterprise=${secret}`],
      ['run', ...target, '--key', `free=${secret}`, '--key', `pro=${secret}`],
      ['serve', '--port', '0', '--key', secret],
      ['run', ...target, '--key', `free=${secret}`, '--quota', `enterprise=${secret}`],
      ['run', secret, ...target, '--key', `free=${secret}`],
    ]
    for (const misuse of misuses) {
      const { code, stdout, stderr } = await quotaspec(misuse)
      expect(code).toBe(3)
      expect(leaksIn(new Map(Object.entries({ stdout, stderr })))).toEqual([])
    }
  })

  it('that is a word takes no word from a sentence about wrong usage', async ({ expect }) => {
    const told = '--quota enterprise=minute:300: type the agreed numbers, as in enterprise=minute:300,day:5000'
    for (const word of ['minute', 'enterprise', 'numbers', '50000']) {
      const run = ['run', '--target', 'http://127.0.0.1:1/v1', '--quota', 'enterprise=minute:300']
      const { code, stderr } = await quotaspec(run, { env: { QUOTASPEC_KEY_FREE: word } })
      expect([code, stderr]).toEqual([3, `quotaspec: ${told}\n`])
    }
  })
})
