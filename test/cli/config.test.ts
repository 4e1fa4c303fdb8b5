import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { z } from 'zod'
import { freshFolder, quotaspec, quotaspecEach, quotaspecInTurn, whileServingHere } from './built-program.js'

const secret = 'config-Fg52Hj63Kl74'
const env = { ACME_FREE: secret }

/** A folder with this `quotaspec.yaml` in it. */
const folderWith = (...lines: readonly string[]): string => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'quotaspec.yaml'), `${lines.join('\n')}\n`)
  return folder
}

const savedReport = z.object({
  run: z.object({ scenario: z.string(), command: z.string() }),
  target: z.object({ baseUrl: z.string() }),
  gates: z.array(z.object({ id: z.string() })),
  notes: z.array(z.object({ text: z.string() })),
})

describe('quotaspec.yaml', { concurrent: true }, () => {
  it('says all that a run needs: quotaspec run --env local', async ({ expect }) => {
    await whileServingHere(['--time-scale', '10', '--key', `free=${secret}`], async (target) => {
      const cwd = folderWith(
        'scenario: smoke',
        'keys: {free: ACME_FREE}',
        'gates: {requests: 100}',
        'timeScale: 10',
        `environments: {local: {target: "${target}", out: rep/local}}`,
      )
      const { code, stdout, stderr } = await quotaspecInTurn(['run', '--env', 'local'], { env, cwd })
      expect(stdout).toMatch(/✓ PASS/)
      expect(code).toBe(0)
      const taken =
        'settings taken from quotaspec.yaml, environment local: target, scenario, keys, out, gates, timeScale'
      expect(stderr).toContain(`note: ${taken}\n`)
      const report = savedReport.parse(JSON.parse(readFileSync(join(cwd, 'rep/local/report.json'), 'utf8')))
      expect(report.run.scenario).toBe('smoke')
      expect(report.run.command).toMatch(/ run --env local --seed \d+$/)
      expect(report.gates.map(({ id }) => id)).toEqual(['requests'])
      expect(report.notes.map(({ text }) => text)).toContain(taken)
      expect(JSON.stringify(report) + stdout + stderr).not.toContain(secret)
    })
  })

  it('is not read with --no-config, nor where another file is named', async ({ expect }) => {
    const cwd = folderWith('target: http://127.0.0.1:1/v1', 'scenario: no-such-scenario')
    writeFileSync(join(cwd, 'other.yaml'), 'target: http://127.0.0.1:1/v1\nscenario: smoke\nkeys: {free: ACME_FREE}\n')
    const [usual, without, other] = await quotaspecEach([
      { args: ['plan', '--target', 'http://127.0.0.1:1/v1'], env, cwd },
      { args: ['plan', '--no-config', '--target', 'http://127.0.0.1:1/v1'], env, cwd },
      { args: ['plan', '--config', 'other.yaml'], env, cwd },
    ])
    expect(usual).toMatchObject({ code: 3 })
    expect(usual.stderr).toContain('quotaspec: quotaspec.yaml:2: scenario: there is no scenario no-such-scenario')
    expect(without.stderr).toContain('no key was given')
    expect(other).toMatchObject({ code: 0 })
    expect(other.stdout).toContain('smoke against http://127.0.0.1:1/v1')
  })

  it.for([
    [['--env', 'stagin'], '--env stagin: quotaspec.yaml has no such environment: did you mean staging?'],
    [[], 'quotaspec.yaml names no target outside of its environments: choose one with --env staging'],
    [['--env', 'staging', '--no-config'], '--env staging: --no-config leaves out the file that would define it'],
  ] as const)('with %j is refused in a sentence, and no folder is written', async ([flags, sentence], { expect }) => {
    const cwd = folderWith('environments:', '  staging: {target: "http://127.0.0.1:1/v1"}')
    const { code, stderr } = await quotaspecInTurn(['run', ...flags], { env, cwd })
    expect(code).toBe(3)
    expect(stderr).toContain(`quotaspec: ${sentence}`)
    expect(existsSync(join(cwd, 'reports'))).toBe(false)
  })

  it('with a secret in it is refused without a word of it', async ({ expect }) => {
    const cwd = folderWith('target: http://127.0.0.1:1/v1', `key: free=${secret}`)
    const { code, stdout, stderr } = await quotaspec(['run'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^quotaspec: quotaspec\.yaml:2: this looks like a secret/)
    expect(stdout + stderr).not.toContain(secret)
  })

  it('that is the contract of --contract is no configuration', async ({ expect }) => {
    const cwd = folderWith(
      'quotaspec: 1',
      'name: acme',
      'credentials: {user: {scheme: bearer, env: ACME_FREE}}',
      "requests: {items: {path: '/items'}}",
      'quotas: [{id: minute, limit: 60, window: 1m, requests: [items]}]',
    )
    const flags = ['plan', '--contract', 'quotaspec.yaml', '--target', 'http://127.0.0.1:1']
    expect(await quotaspecInTurn(flags, { env, cwd })).toMatchObject({ code: 0, stderr: '' })
  })
})
