import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limiters } from '../../src/certificate/limiters.js'
import { seededRandom } from '../../src/kit/random.js'
import { decided, jsonLine, organicArrivals } from '../../src/logs/testing/organic.js'
import { reportModel } from '../../src/report/model.js'
import { freshFolder, quotaspecInTurn } from './built-program.js'

const contract = `quotaspec: 1
name: shop
credentials:
  free: {scheme: header X-Api-Key, env: SHOP_KEY}
requests:
  items: {method: GET, path: '/items', expect: 200}
headers: none
retryAfter: none
quotas:
  - {id: core, limit: {free: 60}, window: 1m, requests: [items], models: [sliding-log]}
`

/** A log of ten clients whose limiter admits so many. */
const logOf = (limit: number): string =>
  decided(organicArrivals({ random: seededRandom(3), requests: 6000 }), (client) =>
    limiters['sliding-log']({ limit, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(client) }),
  )
    .map((each) => `${jsonLine(each)}\n`)
    .join('')

const fields = 'key=$.apiKey, start=$.ts, ms=$.duration, status=$.code'

const prepared = (limit: number) => {
  const cwd = freshFolder()
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'shop.yaml'), contract)
  writeFileSync(join(cwd, 'access.log'), logOf(limit))
  writeFileSync(join(cwd, 'access.log.gz'), gzipSync(logOf(limit)))
  return cwd
}

const judge = (cwd: string, ...more: string[]) =>
  quotaspecInTurn(['judge', '--contract', 'shop.yaml', '--fields', fields, ...more], { cwd })

describe('quotaspec judge --log', () => {
  it('passes a log that keeps its quota', async () => {
    const cwd = prepared(60)
    const { code, stdout, stderr } = await judge(cwd, '--log', 'access.log', '--complete')
    expect([code, stdout]).toEqual([0, expect.stringContaining('PASS')])
    expect(stderr).toContain('6,000 lines (access.log: json)')
    const report = reportModel.parse(JSON.parse(readFileSync(join(cwd, 'reports/logs/report.json'), 'utf8')))
    expect(report.certificates[0]?.excluded.map(({ defect }) => defect)).toContain('limit+1')
    expect(readFileSync(join(cwd, 'reports/logs/report.html'), 'utf8')).not.toMatch(/key-\d/)
  })

  it('fails one that breaks it, and names its lines and the command', async () => {
    const { code, stdout } = await judge(prepared(61), '--log', 'access.log.gz', '--complete')
    expect(code).toBe(1)
    expect(stdout).toMatch(/access\.log\.gz:\d+, .*: client \d+ \(free\)\s+admitted 61\s+within/s)
    expect(stdout).toContain(`main.js judge --log access.log.gz --contract shop.yaml --complete --fields '${fields}'`)
  })

  it.each<[string, string[], RegExp]>([
    ['no contract', ['judge', '--log', 'a'], /--contract is missing/],
    ['no run and no log', ['judge'], /say which run/],
    ['a flag of logs without one', ['judge', 'reports', '--complete'], /--complete works only with logs/],
    ['waivers', ['judge', '--log', 'a', '--contract', 'b', '--waivers', 'c'], /--waivers cannot be used with --log/],
  ])('says what is wrong: %s', async (_, words, why) => {
    const { code, stderr } = await quotaspecInTurn(words)
    expect([code, stderr]).toEqual([3, expect.stringMatching(why)])
  })
})
