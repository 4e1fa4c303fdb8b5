import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, quotaspecInTurn, whileServingHere } from '../cli/built-program.js'

const key = 'pipeline-life-Qw71Er82Ty93'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-life-'))
const scenario = join(folder, 'gate.yaml')

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

const waivers = (name: string, until: string): string => {
  const file = join(folder, `${name}-waivers.yaml`)
  const each = ['RATE-5', 'RATE-6'].map(
    (clause) => `  - clause: ${clause}
    target: http://127.0.0.1:*/v1
    reason: the old gateway
    owner: team-gateway
    until: ${until}
`,
  )
  writeFileSync(file, `waivers:\n${each.join('')}`)
  return file
}

/** One run of the pipeline. */
const pipeline = (name: string, target: string, waiversFile?: string): Promise<Ended> => {
  const known = waiversFile === undefined ? [] : ['--waivers', waiversFile]
  const args = ['run', scenario, '--target', target, '--time-scale', '60', '--out', join(folder, name), ...known]
  return quotaspecInTurn(args, {
    env: { QUOTASPEC_KEY_FREE: key, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, `${name}.md`) },
  })
}

/** The same on a server of each kind at once; what one run leaves is nothing to the other. */
const onBoth = <T>(use: (healthy: string, faulty: string) => Promise<T>): Promise<T> => {
  const serve = ['--time-scale', '60', '--key', `free=${key}`]
  return whileServingHere(serve, (healthy) =>
    whileServingHere([...serve, '--fault', 'reset-as-delta'], (faulty) => use(healthy, faulty)),
  )
}

const junit = async (name: string): Promise<string> =>
  (await quotaspecInTurn(['report', join(folder, name), '--as', 'junit'])).stdout

const summary = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8')

const play = () =>
  onBoth(async (healthy, faulty) => {
    const [[green, released, mended], [broken, waived, expired]] = await Promise.all([
      (async () => [
        await pipeline('green', healthy),
        await pipeline('released', healthy),
        await pipeline('mended', healthy, waivers('mended', '2099-12-31')),
      ])(),
      (async () => [
        await pipeline('broken', faulty),
        await pipeline('waived', faulty, waivers('waived', '2099-12-31')),
        await pipeline('expired', faulty, waivers('expired', '2020-01-01')),
      ])(),
    ])
    return { green, broken, waived, expired, mended, released }
  })

describe('a pipeline lives', () => {
  let runs: Awaited<ReturnType<typeof play>>

  beforeAll(async () => {
    runs = await play()
  })

  it('green at first', () => {
    expect([runs.green.code, runs.green.stdout]).toEqual([0, expect.stringContaining('2 of 2 hold')])
    expect(runs.green.stdout).not.toContain('::error')
    expect(summary('green')).toContain('✅ PASS')
  })

  it('red once a fault appears, annotated, and failed in JUnit too', async () => {
    expect(runs.broken.code).toBe(1)
    expect(runs.broken.stdout).toMatch(/^::error title=RATE-5 /m)
    expect(await junit('broken')).toMatch(/<testcase name="rate\.reset-is-timestamp[^>]*>\s*<failure /)
    expect(summary('broken')).toMatch(/❌ FAIL: Reset is not a possible end of the window .*RATE-5/)
  })

  it('green while the fault is waived, which is shown', async () => {
    expect(runs.waived.code).toBe(0)
    expect(runs.waived.stdout).toContain('RATE-5 fails, which is known and waived until 2099-12-31 (team-gateway)')
    expect(runs.waived.stdout).not.toMatch(/^::error/m)
    const [xml, judged] = await Promise.all([junit('waived'), quotaspecInTurn(['judge', join(folder, 'waived')])])
    expect(xml).toMatch(/<testcase name="rate\.reset-is-timestamp[^>]*>\s*<skipped [^>]*message="Waived until/)
    expect(judged.code).toBe(0)
  })

  it('red once the waiver has ended', () => {
    expect(runs.expired.code).toBe(1)
    expect(runs.expired.stdout).toMatch(
      /The waiver of RATE-5 ended on\s+2020-01-01: fix the failure, or agree a new date with\s+team-gateway/,
    )
    expect(runs.expired.stdout).toMatch(/^::error title=Waiver of RATE-5::/m)
  })

  it('red once the fault is mended and its waiver is still there', () => {
    expect(runs.mended.code).toBe(1)
    expect(runs.mended.stdout).toContain('RATE-5 passes now: remove its waiver (mended-waivers.yaml:2).')
  })

  it('and green again, no worse than its baseline', async () => {
    const compare = (run: string) => quotaspecInTurn(['compare', join(folder, 'green'), join(folder, run)])
    const [same, worse] = await Promise.all([compare('released'), compare('broken')])
    expect(runs.released.code).toBe(0)
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('No regression.')])
    expect([worse.code, worse.stdout]).toEqual([1, expect.stringContaining('RATE-5')])
  })

  it('with a history of all its runs', async () => {
    const { code, stdout } = await quotaspecInTurn(['history', folder])
    expect([code, stdout]).toEqual([0, expect.stringContaining(': 6 runs')])
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('href="broken/report.html"')
  })
})
