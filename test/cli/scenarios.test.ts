import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type ExpectStatic, it } from 'vitest'
import { z } from 'zod'
import type { Report } from '../../src/report/model.js'
import { freshFolder, quotaspec, untilSettled, whileServing } from './built-program.js'

const secret = 'scenarios-Wd10Xe21Yf32'
const scaled = ['--time-scale', '4']
/** Two where keys are compared; Pro's quota takes many requests to spend. */
const keysOf = (scenario: string): Readonly<Record<string, string>> => ({
  free: secret,
  ...(['conformance', 'release-gate'].includes(scenario) && { pro: `${secret}-pro` }),
})

/** A scenario of a user's own that asks for nothing but a quota. */
const onlyBurst = join(freshFolder(), 'only-burst.yaml')
writeFileSync(
  onlyBurst,
  'name: only-burst\ndescription: a load and nothing else\nprobes:\n  - probe: hello\n  - probe: burst\n',
)

/** What a run says on its way: of probes that are played on several keys together, which one a load was on. */
const saidOf = (scenario: string): RegExp =>
  scenario === 'release-gate' ? /isolation \(pro\): \d+ requests sent\n[\s\S]*isolation \(free, pro\)\n/ : /hello \(/

/** What single requests can show. */
const settled = /^(BASE|SCHEMA|INV|AUTH|ERR|RATE|VER)-/

/** Of conformance, with two keys: every clause that is not of quotas is settled, with few requests. */
const expectFew = (folder: string, expect: ExpectStatic): void => {
  const { clauses, spending, notes } = z
    .object({
      clauses: z.array(z.object({ id: z.string(), verdict: z.string() })),
      spending: z.array(z.object({ spent: z.number() })),
      notes: z.array(z.object({ text: z.string() })),
    })
    .parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')))
  expect(clauses.filter(({ id, verdict }) => settled.test(id) && !['pass', 'observed'].includes(verdict))).toEqual([])
  // What a crowded machine has played again comes on top.
  if (notes.some(({ text }) => text.includes('is played again'))) return
  expect(spending.reduce((sum, { spent }) => sum + spent, 0)).toBeLessThanOrEqual(350)
}

describe('a scenario against a server that conforms', { concurrent: true }, () => {
  // Smoke is played in `exit-codes.test.ts`.
  for (const scenario of ['conformance', 'release-gate', 'spread', onlyBurst]) {
    it(`${scenario === onlyBurst ? 'a burst alone' : scenario} leaves nothing open`, async ({ expect }) => {
      const given = Object.entries(keysOf(scenario))
      const env = Object.fromEntries(given.map(([plan, key]) => [`QUOTASPEC_KEY_${plan.toUpperCase()}`, key]))
      const keys = given.flatMap(([plan, key]) => ['--key', `${plan}=${key}`])
      await whileServing([...scaled, ...keys], async (target) => {
        const out = freshFolder()
        const run = ['run', scenario, '--target', target, ...scaled, '--out', out]
        const { code, stdout, stderr } = await untilSettled(() => quotaspec(run, { env }))
        expect(stdout).toMatch(/✓ PASS/)
        expect(stderr).toMatch(saidOf(scenario))
        expect(code).toBe(0)
        if (scenario === 'conformance') expectFew(out, expect)
        if (scenario !== 'release-gate') return
        const judgedIn = (): Pick<Report, 'clauses' | 'checks'> =>
          JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
        const { clauses, checks } = judgedIn()
        expect((await quotaspec(['judge', out])).code).toBe(0)
        expect(judgedIn()).toMatchObject({ clauses, checks })
      })
    })
  }
})
