import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import type { Report } from '../../src/report/model.js'
import { freshFolder, launch, quotaspec, quotaspecInTurn, whileServingHere } from './built-program.js'

const secret = 'first-look-Gh56Jk78Lm90'
const expired = 'first-look-Ex11Pi22Re33'
const serve = ['--time-scale', '60', '--key', `free=${secret}`]
const env = { QUOTASPEC_KEY_FREE: secret, QUOTASPEC_KEY_PRO: expired }

const runs = (target: string, out: string, scenario: string, ...more: readonly string[]) => [
  'run',
  scenario,
  '--target',
  target,
  '--time-scale',
  '60',
  '--out',
  out,
  ...more,
]

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

/** The probes of which anything was sent. */
const playedIn = (out: string): string[] => [
  ...new Set(
    readFileSync(join(out, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"type":"exchange"'))
      .map((line): string => JSON.parse(line).probe),
  ),
]

const told = (stdout: string): string => stdout.replace(/\s+/g, ' ')

describe('the first look of a run', { concurrent: true }, () => {
  for (const scenario of ['smoke', 'conformance', 'release-gate']) {
    it(`ends ${scenario} with 2 where a key is not accepted, names it, and plays nothing else`, async ({ expect }) => {
      await whileServingHere(serve, async (target) => {
        const out = freshFolder()
        const { code, stdout, stderr } = await quotaspecInTurn(runs(target, out, scenario), { env })
        expect(code).toBe(2)
        expect(told(stdout)).toContain(`The pro key was not accepted: ${target}/inventory answered 401: {"code"`)
        expect(told(stdout)).toContain('QUOTASPEC_KEY_PRO, or leave it out; --without-rejected-keys continues')
        expect(playedIn(out)).toEqual(['hello'])
        expect(reportIn(out)).toMatchObject({ outcome: 'inconclusive', run: { exitCode: 2 } })
        expect(stdout + stderr).not.toContain(expired)
        expect((await quotaspecInTurn(['judge', out])).code).toBe(2)
      })
    })
  }

  it('goes on without a key that is not accepted where it was told to, and still ends with 2', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const out = freshFolder()
      // Of what is asked nothing else could be open.
      const only = ['--only', 'SCHEMA', '--without-rejected-keys']
      const { code, stdout } = await quotaspecInTurn(runs(target, out, 'smoke', ...only), { env })
      expect(code).toBe(2)
      expect(told(stdout)).toContain('with the other keys holds. The pro key was not accepted: ')
      expect(playedIn(out)).toContain('read-write-read')
      expect(reportIn(out).run.command).toContain('--without-rejected-keys')
    })
  })

  it('says that the address lacks /v1, where it is there', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      const base = target.replace('/v1', '')
      const run = await quotaspecInTurn(runs(base, freshFolder(), 'conformance'), {
        env: { QUOTASPEC_KEY_FREE: secret },
      })
      expect(run.code).toBe(2)
      expect(told(run.stdout)).toContain(`did you mean --target ${target}?`)
    })
  })

  it('says that load takes leave, before a minute is spent, and how to play the rest', async ({ expect }) => {
    await whileServingHere(serve, async (target) => {
      // A name that is this machine's, and of which nobody can know that it is.
      const elsewhere = target.replace('127.0.0.1', 'localhost.localdomain')
      const dns = `data:text/javascript,${encodeURIComponent(`
        import dns from 'node:dns/promises'
        import { syncBuiltinESMExports } from 'node:module'
        dns.lookup = async () => [{ address: '127.0.0.1', family: 4 }]
        syncBuiltinESMExports()
      `)}`
      const given = { env: { QUOTASPEC_KEY_FREE: secret }, imports: [dns] }
      const out = freshFolder()
      const ended = await quotaspec(runs(elsewhere, out, 'release-gate'), given)
      expect(ended.code).toBe(2)
      expect(told(ended.stdout)).toContain(
        'but load is not allowed: add --allow-load, or --without-load to play the rest',
      )
      expect(playedIn(out)).toEqual(['hello'])
      const small = join(freshFolder(), 'small.yaml')
      writeFileSync(small, 'name: small\ndescription: small\nprobes:\n  - probe: no-key\n  - probe: burst\n')
      const rest = await quotaspec(runs(elsewhere, out, small, '--without-load'), given)
      expect(rest.code).toBe(2)
      expect(playedIn(out)).toContain('no-key')
      expect(reportIn(out).load).toEqual([])
      expect(reportIn(out).clauses.find(({ id }) => id === 'AUTH-1')?.verdict).toBe('pass')
    })
  })

  it('is over in seconds where nobody answers, and an end of it can not be gone on with', async ({ expect }) => {
    const out = freshFolder()
    const { ended } = launch(runs('http://127.0.0.1:1/v1', out, 'daily-quota'), { env })
    const { code, stdout } = await ended
    expect([code, told(stdout)]).toEqual([2, expect.stringContaining('Nothing answered at http://127.0.0.1:1/v1')])
    const again = [...runs('http://127.0.0.1:1/v1', out, 'daily-quota').slice(0, -2), '--resume', out]
    expect(await quotaspecInTurn(again, { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('that run stopped at its first look'),
    })
  })
})
