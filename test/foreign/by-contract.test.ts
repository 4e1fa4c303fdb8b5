import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { playAgainst } from '../../src/cli/keystone/play-trial.js'
import { loadContract } from '../../src/contract/file/load-contract.js'
import { startPlainExpress, startPlainFastify } from './plain-targets.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-by-contract-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, text: string): string => {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, text)
  return file
}

const scenario = written(
  'burst',
  'name: burst\ndescription: A row and a burst.\nprobes:\n  - probe: hello\n  - probe: header-row\n  - probe: burst\n',
)

/** What their owners would write: twelve in 2 s. */
const contractWith = (headers: string): string =>
  written(
    headers,
    `quotaspec: 1
name: acme
credentials:
  free: {scheme: bearer, env: ACME_KEY}
probes:
  items: {path: '/items?limit=1', expect: 200}
  search: {path: '/search?q=a', expect: 200}
headers: ${headers}
retryAfter: {as: seconds}
quotas:
  - {id: core, limit: 12, window: 2s, requests: [items, search]}
`,
  )

const secret = 'free-secret-Q7w8E9'

const cases = [
  ['express-rate-limit in draft 8', 'draft-11', () => startPlainExpress({ secret, limit: 12 }), undefined],
  ['express-rate-limit that admits 18', 'draft-11', () => startPlainExpress({ secret, limit: 18 }), 'QUOTA-1'],
  ['@fastify/rate-limit', 'x-ratelimit-delta', () => startPlainFastify({ secret, limit: 12 }), undefined],
  [
    '@fastify/rate-limit with a Reset in milliseconds',
    'x-ratelimit-delta',
    () => startPlainFastify({ secret, limit: 12, resetTimes: 1000 }),
    'RATE-5',
  ],
] as const

describe('an API on a limiter that nobody here wrote, by its contract file alone', { concurrent: true }, () => {
  for (const [title, headers, start, breaks] of cases) {
    it(`${title} ${breaks ? `fails ${breaks}` : 'is accused of nothing'}`, async ({ expect }) => {
      const { contract } = await loadContract(contractWith(headers))
      const keys = [{ plan: 'free', secret }]
      const run = { target: await start(), keys, contract, scenario, timeScale: 1, seed: 3 }
      const { report } = await playAgainst(run)
      const failing = report.clauses.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))
      if (breaks) expect(failing).toContain(breaks)
      else expect(failing).toEqual([])
      expect(report.run.exitCode === 1).toBe(breaks !== undefined)
    })
  }
})
