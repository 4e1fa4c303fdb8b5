import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { playTrial } from '../../src/cli/keystone/play-trial.js'
import { loadContract } from '../../src/contract/file/load-contract.js'
import { sideBySide } from '../../src/kit/side-by-side.js'

const examples = fileURLToPath(new URL('../../contracts/', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scenarioOf = (name: string, ...probes: readonly string[]): string => {
  const file = join(folder, `${name}.yaml`)
  const lines = [
    `name: ${name}`,
    'description: For an example.',
    'probes:',
    ...probes.map((each) => `  - probe: ${each}`),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** The release gate takes several times as long. */
const burst = scenarioOf('burst', 'hello', 'header-row', 'burst')
/** Where any answer will do. */
const row = scenarioOf('row', 'hello', 'header-row')

interface Example {
  /** What makes a window last about a second. */
  readonly timeScale: number
  /** A fault that shows however busy the machine is, what it takes to see it, and the clause that it breaks. */
  readonly fault: string
  readonly by: string
  readonly breaks: string
}

const cases: Readonly<Record<string, Example>> = {
  cloudflare: { timeScale: 300, fault: 'retry-after-missing', by: burst, breaks: 'THROTTLE-2' },
  discord: { timeScale: 5, fault: 'remaining-on-refusal', by: burst, breaks: 'RATE-3' },
  github: { timeScale: 60, fault: 'reset-in-milliseconds', by: row, breaks: 'RATE-5' },
  jira: { timeScale: 1, fault: 'fields-missing-now-and-then', by: row, breaks: 'RATE-1' },
  okta: { timeScale: 60, fault: 'reset-in-milliseconds', by: row, breaks: 'RATE-5' },
  openai: { timeScale: 60, fault: 'limit-of-none-shown', by: row, breaks: 'RATE-2' },
  shopify: { timeScale: 20, fault: 'limit-of-none-shown', by: row, breaks: 'RATE-2' },
  slack: { timeScale: 60, fault: 'refused-as-420', by: burst, breaks: 'THROTTLE-1' },
  stripe: { timeScale: 1, fault: 'refused-as-420', by: burst, breaks: 'THROTTLE-1' },
  x: { timeScale: 900, fault: 'reset-as-delta', by: row, breaks: 'RATE-5' },
}

/** Mostly they wait for windows. */
const atOnce = 20

/** An example with the first of its quotas alone: the others take as long again. */
const contractOf = async (name: string) => {
  const { contract } = await loadContract(join(examples, `${name}.yaml`))
  return { ...contract, quotas: contract.quotas.slice(0, 1) }
}

const played = async (name: string, scenario: string, ...faults: string[]) => {
  const { timeScale } = cases[name]
  const trial = { server: { faults }, contract: await contractOf(name), scenario, timeScale, seed: 5 }
  const { failing, exitCode } = await playTrial(trial)
  return { failing, fails: exitCode === 1 }
}

describe('the examples of contracts', () => {
  it('are all played', () => {
    const names = readdirSync(examples).map((file) => file.replace('.yaml', ''))
    expect(Object.keys(cases)).toEqual(names.sort())
  })

  it('accuse a server that keeps them of nothing, and one that does not of what it breaks', async () => {
    const names = Object.keys(cases)
    const runs = names.flatMap((name) => [
      () => played(name, burst),
      () => played(name, cases[name].by, cases[name].fault),
    ])
    const results = await sideBySide(runs, atOnce, (run) => run())
    for (const [at, name] of names.entries()) {
      const [right, wrong] = [results[2 * at], results[2 * at + 1]]
      expect(right, name).toEqual({ failing: [], fails: false })
      expect(wrong.failing, name).toContain(cases[name].breaks)
      expect(wrong.fails, name).toBe(true)
    }
  })
})
