import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { playTrial } from '../../src/cli/keystone/play-trial.js'
import { loadContract } from '../../src/contract/file/load-contract.js'

const folder = 'contracts'

interface Example {
  /** Makes a window last about a second. */
  readonly timeScale: number
  /** A fault that shows even on a busy machine, and the clause that it breaks. */
  readonly fault: string
  readonly breaks: string
}

/** The example contracts, each with a fault that it has to detect. */
export const examples: Readonly<Record<string, Example>> = {
  cloudflare: { timeScale: 300, fault: 'retry-after-missing', breaks: 'THROTTLE-2' },
  discord: { timeScale: 5, fault: 'remaining-on-refusal', breaks: 'RATE-3' },
  github: { timeScale: 60, fault: 'reset-in-milliseconds', breaks: 'RATE-5' },
  jira: { timeScale: 4, fault: 'fields-missing-now-and-then', breaks: 'RATE-1' },
  okta: { timeScale: 60, fault: 'reset-in-milliseconds', breaks: 'RATE-5' },
  openai: { timeScale: 60, fault: 'limit-of-none-shown', breaks: 'RATE-2' },
  shopify: { timeScale: 20, fault: 'limit-of-none-shown', breaks: 'RATE-2' },
  slack: { timeScale: 60, fault: 'refused-as-420', breaks: 'THROTTLE-1' },
  stripe: { timeScale: 4, fault: 'refused-as-420', breaks: 'THROTTLE-1' },
  x: { timeScale: 900, fault: 'reset-as-delta', breaks: 'RATE-5' },
}

export const exampleNames = (): string[] => readdirSync(folder).map((file) => basename(file, '.yaml'))

/** Plays an example with only its first quota: each other one would take as long again. */
export const playExample = async (name: string, faults: readonly string[], keep: string): Promise<unknown> => {
  const { contract } = await loadContract(join(folder, `${name}.yaml`))
  return playTrial({
    server: { faults },
    contract: { ...contract, quotas: contract.quotas.slice(0, 1) },
    scenario: join('scenarios', 'keystone', 'example.yaml'),
    timeScale: examples[name].timeScale,
    seed: 5,
    keep,
  })
}
