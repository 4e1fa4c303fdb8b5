import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { freshFolder, quotaspec, whileServing } from './built-program.js'

const secret = 'scenarios-Wd10Xe21Yf32'
const env = { QUOTASPEC_KEY_FREE: secret, QUOTASPEC_KEY_PRO: `${secret}-pro` }
const keys = ['--key', `free=${secret}`, '--key', `pro=${secret}-pro`]

/** A scenario of a user's own that asks for nothing but a quota. */
const onlyBurst = join(freshFolder(), 'only-burst.yaml')
writeFileSync(
  onlyBurst,
  'name: only-burst\ndescription: a load and nothing else\nprobes:\n  - probe: hello\n  - probe: burst\n',
)

describe('a scenario against a server that conforms', { concurrent: true, timeout: 120_000 }, () => {
  for (const scenario of ['smoke', 'conformance', 'release-gate', onlyBurst]) {
    it(`${scenario === onlyBurst ? 'a burst alone' : scenario} leaves nothing open`, async ({ expect }) => {
      await whileServing(['--time-scale', '10', ...keys], async (target) => {
        const run = ['run', scenario, '--target', target, '--time-scale', '10', '--out', freshFolder()]
        const { code, stdout } = await quotaspec(run, { env })
        expect(stdout).toMatch(/✓ PASS/)
        expect(code).toBe(0)
      })
    })
  }
})
