import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { playTrial } from '../../src/cli/keystone/play-trial.js'
import { loadContract } from '../../src/contract/file/load-contract.js'

const file = fileURLToPath(new URL('./blocking.yaml', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A burst alone: the release gate takes four times as long. */
const scenario = join(folder, 'burst.yaml')
writeFileSync(
  scenario,
  'name: burst\ndescription: Only a burst.\nprobes:\n  - probe: hello\n  - probe: header-row\n  - probe: burst\n',
)

const played = async (...faults: string[]) => {
  const { contract } = await loadContract(file)
  const { failing, exitCode } = await playTrial({ server: { faults }, contract, scenario, timeScale: 1, seed: 5 })
  return { failing, fails: exitCode === 1 }
}

describe('a server that should keep a contract', () => {
  it.concurrent('is accused of nothing where it does', async () => {
    expect(await played()).toEqual({ failing: [], fails: false })
  })

  it.concurrent('is accused of just what it breaks: a block that ends too early', async () => {
    expect(await played('block-too-short')).toEqual({ failing: ['THROTTLE-5', 'THROTTLE-7'], fails: true })
  })
})
