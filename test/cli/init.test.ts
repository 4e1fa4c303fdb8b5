import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { filesIn, freshFolder, quotaspec } from './built-program.js'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

const secret = 'Qy7-initial-secret'

/** An API that says what is left of 40 in a minute, and what it was sent. */
const serving = async () => {
  let used = 0
  const server = createServer(({ headers }, response) => {
    used += 1
    if (headers.authorization !== `Bearer ${secret}`) response.writeHead(401).end()
    else
      response.writeHead(200, { 'RateLimit-Policy': '"core";q=40;w=60', RateLimit: `"core";r=${40 - used};t=55` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return { used: () => used, target: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const header = ['--header', 'Authorization: Bearer $ACME_KEY']
const env = { ACME_KEY: secret }

test('init writes by its flags what plan takes as it is, with what the API shows, and no secret', async () => {
  const { used, target } = await serving()
  const folder = freshFolder()
  const args = ['init', folder, '--target', target, ...header, '--probe', '/items', '--ci', 'github', '--discover']
  const { code, stdout, stderr } = await quotaspec(args, { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('quota   core: 40 in 1m')])
  expect(used()).toBeLessThanOrEqual(20)
  const files = filesIn(folder)
  expect([...files.keys()].toSorted()).toEqual([
    '.github/workflows/quotaspec.yml',
    'quotaspec.yaml',
    'quotaspec/contract.yaml',
    'quotaspec/release-gate.yaml',
  ])
  expect(files.get('quotaspec/contract.yaml')?.toString()).toContain('headers: draft-11')
  for (const content of [...files.values(), stdout, stderr]) expect(content.includes(secret)).toBe(false)
  const next = stdout.trim().split('\n').at(-1) ?? ''
  expect(next).toMatch(/^node \S*main\.js plan /)
  const configured = await quotaspec(['plan'], { env, cwd: folder })
  expect([configured.code, configured.stdout]).toEqual([0, expect.stringContaining('burst')])
  const planned = await quotaspec(next.split(' ').slice(2), { env })
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('burst')])
  const again = await quotaspec(args, { env })
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('--force writes over them')])
}, 60_000)

test('init asks nothing of the API unless it is told to, and says which flag is missing', async () => {
  const { used, target } = await serving()
  const folder = freshFolder()
  const args = ['init', folder, '--target', target, ...header, '--probe', '/items', '--ci', 'none', '--limit', '40']
  const refused = await quotaspec(args)
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('--window is missing')])
  expect([...filesIn(folder)]).toEqual([])
  const { code, stdout } = await quotaspec([...args, '--window', '1m'])
  expect([code, used()]).toEqual([0, 0])
  expect(stdout).toMatch(/\nACME_KEY=… node \S*main\.js plan /)
  writeFileSync(join(folder, 'quotaspec/contract.yaml'), 'mine')
  expect((await quotaspec([...args, '--window', '1m', '--force'])).code).toBe(0)
  expect(filesIn(folder).get('quotaspec/contract.yaml')?.toString()).toContain('limit: 40')
}, 60_000)
