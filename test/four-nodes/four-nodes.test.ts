import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { executeRun } from '../../src/assembly/build-report.js'
import { prepareRun } from '../../src/run/options/prepare-run.js'
import { programSource, settleOptions } from '../../src/run/options/settle-options.js'
import { scenarioFolder } from '../../src/run/package.js'

/** A window of 6 s: a burst of a busy machine is within one all the same. */
const timeScale = 10
const secret = 'four-nodes-Lk5Jh6Gf7Ds8'
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'quotaspec-four-nodes-'))

let nodes: ChildProcess
let port = 0

beforeAll(async () => {
  nodes = fork(here('cluster.mjs'), { env: { ...process.env, NODE_KEY: secret, NODE_TIME_SCALE: String(timeScale) } })
  port = await new Promise((resolve, reject) => {
    nodes.once('message', (value) => resolve(Number(value)))
    nodes.once('exit', (code) => reject(new Error(`the nodes ended with ${code}: is dist/ built?`)))
  })
})

afterAll(() => {
  nodes.disconnect()
  rmSync(out, { recursive: true, force: true })
})

it('four processes that count alone behind one port over-admit, and look like four', async () => {
  const target = `http://127.0.0.1:${port}/v1`
  const scenario = join(scenarioFolder, 'keystone', 'nodes.yaml')
  const options = { target, scenario, keys: { free: secret }, timeScale, out, readOnly: true, seed: 7 }
  const prepared = prepareRun(settleOptions([programSource(options)]), {})
  const interrupt = new AbortController().signal
  const { report } = await executeRun(prepared, { out, interrupt, watch: () => {} })
  const [free] = report.quotas
  expect(free).toMatchObject({ plan: 'free', verdict: 'fail', diagnosis: '4 nodes that each count alone' })
  expect(report.clauses.find(({ id }) => id === 'QUOTA-1')).toMatchObject({ verdict: 'fail' })
  expect(report.run.exitCode).toBe(1)
})
