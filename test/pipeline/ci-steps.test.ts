import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Ended, filesIn, whileServingHere } from '../cli/built-program.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const key = 'ci-steps-Za82Yb93Xc04'

// Each test starts many processes one after the other, on a machine that others may be using.
type Environment = Readonly<Record<string, string>>

/** Runs a step of a pipeline as a runner would: in bash, stopping at the first command that fails. */
const bash = (script: string, cwd: string, env: Environment): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    })
    const written = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        written[stream] += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...written }))
  })

const readYaml = (file: string): unknown => parse(readFileSync(join(root, file), 'utf8'))

const action = z.object({
  inputs: z.record(z.string(), z.object({ required: z.boolean().optional(), default: z.string().optional() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.object({
        uses: z.string().optional(),
        shell: z.literal('bash').optional(),
        run: z.string().optional(),
        env: z.record(z.string(), z.string()).optional(),
        with: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
})

/** Plays the composite action; steps that use another action are left out. */
const playAction = async (given: Environment, cwd: string, env: Environment): Promise<Ended> => {
  const { inputs, runs } = action.parse(readYaml('action.yml'))
  const filled = (text: string): string =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
      if (!(name in inputs)) throw new Error(`there is no input ${name}`)
      return given[name] ?? inputs[name]?.default ?? ''
    })
  let last: Ended = { code: 0, stdout: '', stderr: '' }
  for (const { run, env: own = {} } of runs.steps) {
    if (run === undefined || last.code !== 0) continue
    const stepEnv = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, filled(value)]))
    last = await bash(run, cwd, { ...env, ...stepEnv, GITHUB_ACTION_PATH: root })
  }
  return last
}

const template = z.object({
  '.quotaspec': z.object({
    variables: z.record(z.string(), z.string()),
    before_script: z.array(z.string()),
    script: z.array(z.string()),
    artifacts: z.object({ paths: z.array(z.string()), reports: z.object({ junit: z.string() }) }),
  }),
  quotaspec: z.object({ extends: z.literal('.quotaspec') }),
})

const workspace = (): string => mkdtempSync(join(tmpdir(), 'quotaspec-ci-'))

it.concurrent('action.yml gates a release, annotates it, and keeps the reports', async ({ expect }) => {
  const cwd = workspace()
  const summary = join(cwd, 'summary.md')
  const env = { QUOTASPEC_KEY_FREE: key, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
  const serve = ['--time-scale', '60', '--key', `free=${key}`]
  const smoke = { scenario: 'smoke', 'time-scale': '60' }
  await whileServingHere(serve, async (target) => {
    const { code, stderr } = await playAction({ ...smoke, target, out: 'baseline' }, cwd, env)
    expect([code, stderr]).toEqual([0, expect.stringContaining('smoke against')])
  })
  await whileServingHere([...serve, '--fault', 'error-status-mismatch'], async (target) => {
    const given = { ...smoke, target, baseline: 'baseline', arguments: '--seed\n7\n' }
    const { code, stdout } = await playAction(given, cwd, env)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^::error title=ERR-2 /m)
    expect(stdout).toContain('1 regression: ERR-2.')
  })
  const files = filesIn(join(cwd, 'reports/quotaspec'))
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['report.html', 'report.json', 'junit.xml', 'report.md', 'report.sarif', 'compare.md']),
  )
  expect(files.get('junit.xml')?.toString()).toContain('<failure ')
  expect(files.get('report.json')?.toString()).toContain('"seed": 7')
  expect(files.get('report.sarif')?.toString()).toContain('"ruleId": "ERR-2"')
  expect(readFileSync(summary, 'utf8')).toMatch(
    /✅ PASS[\s\S]*❌ FAIL: The "status" in JSON error bodies is not .*ERR-2[\s\S]*1 regression/,
  )
  for (const content of files.values()) expect(content.includes(key)).toBe(false)
})

it.concurrent('ci/gitlab.yml gates a release, and its report for the merge request is where it says', async ({
  expect,
}) => {
  const cwd = workspace()
  symlinkSync(root, join(cwd, '.quotaspec'))
  const { '.quotaspec': job } = template.parse(readYaml('ci/gitlab.yml'))
  const serve = ['--time-scale', '60', '--key', `free=${key}`, '--fault', 'error-status-mismatch']
  await whileServingHere(serve, async (target) => {
    const given = { QUOTASPEC_TARGET: target, QUOTASPEC_KEY_FREE: key, QUOTASPEC_TIME_SCALE: '60' }
    const env = { ...job.variables, ...given, QUOTASPEC_SCENARIO: 'smoke' }
    const { code } = await bash([...job.before_script, ...job.script].join('\n'), cwd, env)
    expect(code).toBe(1)
  })
  expect(readFileSync(join(cwd, job.artifacts.reports.junit), 'utf8')).toContain('<failure ')
  expect(job.artifacts.paths).toContain('reports/quotaspec')
})

it.concurrent('ci/gate leaves no report of an earlier run behind, and says what is missing', async ({ expect }) => {
  const cwd = workspace()
  const { code, stderr } = await bash(`"${root}ci/gate"`, cwd, { QUOTASPEC_OUT: 'out' })
  expect(code).toBe(3)
  expect(stderr).toContain('--target is missing')
})
