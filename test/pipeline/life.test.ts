import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Ended, quotaspec, whileServing } from '../cli/built-program.js'

const key = 'pipeline-life-Qw71Er82Ty93'
const fault = ['--fault', 'reset-as-delta']
const reset = ['clause: RATE-5', 'clause: RATE-6']

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-life-'))
const scenario = join(folder, 'gate.yaml')
const waivers = join(folder, 'waivers.yaml')

writeFileSync(
  scenario,
  `name: gate
description: A pipeline's life in few requests
probes:
  - probe: hello
  - probe: header-row
  - probe: read-write-read
  - probe: no-key
gates:
  level: must
  unrestored: 0
`,
)

const waive = (until: string): void =>
  writeFileSync(
    waivers,
    `waivers:\n${reset
      .map(
        (subject) =>
          `  - ${subject}\n    target: http://127.0.0.1:*/v1\n    reason: the old gateway\n    owner: team-gateway\n    until: ${until}\n`,
      )
      .join('')}`,
  )

/** One run of the pipeline, against a server of its own. */
const pipeline = (name: string, server: readonly string[], flags: readonly string[] = []): Promise<Ended> =>
  whileServing(['--time-scale', '60', '--key', `free=${key}`, ...server], (target) => {
    const args = ['run', scenario, '--target', target, '--time-scale', '60', '--out', join(folder, name), ...flags]
    return quotaspec(args, {
      env: { QUOTASPEC_KEY_FREE: key, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, `${name}.md`) },
    })
  })

const junit = async (name: string): Promise<string> =>
  (await quotaspec(['report', join(folder, name), '--as', 'junit'])).stdout

const summary = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8')

it('a pipeline lives: green, broken, waived, expired, mended, compared', { timeout: 60_000 }, async () => {
  const green = await pipeline('green', [])
  expect([green.code, green.stdout]).toEqual([0, expect.stringContaining('2 of 2 hold')])
  expect(green.stdout).not.toContain('::error')
  expect(summary('green')).toContain('✅ PASS')

  const broken = await pipeline('broken', fault)
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/^::error title=RATE-5 /m)
  expect(await junit('broken')).toMatch(/<testcase name="rate\.reset-is-timestamp[^>]*>\s*<failure /)
  expect(summary('broken')).toContain('❌ FAIL: The target breaks RATE-5')

  waive('2099-12-31')
  const waived = await pipeline('waived', fault, ['--waivers', waivers])
  expect(waived.code).toBe(0)
  expect(waived.stdout).toContain('RATE-5 fails, as is known: waived until 2099-12-31 (team-gateway)')
  expect(waived.stdout).not.toMatch(/^::error/m)
  expect(await junit('waived')).toMatch(
    /<testcase name="rate\.reset-is-timestamp[^>]*>\s*<skipped [^>]*message="Waived until/,
  )
  expect(await quotaspec(['judge', join(folder, 'waived')])).toMatchObject({ code: 0 })

  waive('2020-01-01')
  const expired = await pipeline('expired', fault, ['--waivers', waivers])
  expect(expired.code).toBe(1)
  expect(expired.stdout).toContain(
    'The waiver of RATE-5 ended on 2020-01-01: mend it, or let team-gateway agree a new day',
  )
  expect(expired.stdout).toMatch(/^::error title=Waiver of RATE-5::/m)

  waive('2099-12-31')
  const mended = await pipeline('mended', [], ['--waivers', waivers])
  expect(mended.code).toBe(1)
  expect(mended.stdout).toContain('RATE-5 passes now: remove its waiver (waivers.yaml:2).')

  const released = await pipeline('released', [])
  expect(released.code).toBe(0)
  const compare = (run: string) => quotaspec(['compare', join(folder, 'green'), join(folder, run)])
  expect(await compare('released')).toMatchObject({ code: 0, stdout: expect.stringContaining('No regression.') })
  expect(await compare('broken')).toMatchObject({ code: 1, stdout: expect.stringContaining('RATE-5') })

  const history = await quotaspec(['history', folder])
  expect([history.code, history.stdout]).toEqual([0, expect.stringContaining(': 6 runs')])
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  expect(index).toContain('href="broken/report.html"')
})
