import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { quotaspec, quotaspecInTurn } from './built-program.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-discover-'))
const ending: (() => void)[] = []
afterAll(() => {
  for (const end of ending) end()
  rmSync(folder, { recursive: true })
})

interface Arrival {
  readonly url: string
  readonly key: string | undefined
  readonly atMs: number
}

/** A server made for a test, with all that has arrived. */
const serving = async (answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void) => {
  const arrived: Arrival[] = []
  const server = createServer((request, response) => {
    arrived.push({ url: request.url ?? '', key: request.headers.authorization, atMs: performance.now() })
    answer(request, response, arrived.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return { arrived, target: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const secret = 'Zx9-discovered-secret'
const header = `Authorization: Bearer ${secret}`

/** A window of an hour for each key; without one, 401. */
const hourly = (limit: number) => {
  let used = 0
  let reset = 0
  return ({ headers }: IncomingMessage, response: ServerResponse) => {
    if (headers.authorization === undefined) {
      response.writeHead(401).end()
      return
    }
    used += 1
    if (reset === 0) reset = Math.ceil(Date.now() / 1000) + 3600
    const limits = {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': Math.max(0, limit - used),
      'X-RateLimit-Reset': reset,
      'X-RateLimit-Echo-Used': headers.authorization,
    }
    if (used > limit) response.writeHead(429, { ...limits, 'Retry-After': 3600 }).end()
    else response.writeHead(200, limits).end('[]')
  }
}

const discovering = (target: string, ...flags: string[]) =>
  quotaspec(['discover', '--target', target, '--header', header, ...flags])

// It asks gently, so that nearly all of its time is waiting.
describe.concurrent('discover', () => {
  test('an API that says what it does gets a contract file that plans without a change, and holds no secret', async () => {
    const { arrived, target } = await serving(hourly(500))
    const out = join(mkdtempSync(join(folder, 'file-')), 'acme.yaml')
    const probes = ['--probe', '/items?limit=1', '--probe', '/search']
    const { code, stdout, stderr } = await discovering(target, ...probes, '--out', out)
    expect([code, stderr]).toEqual([0, expect.stringContaining('20 requests at most')])
    expect(stdout).toContain('quota   core: 500 in 1h, counted by credential, for items, search')
    const text = readFileSync(out, 'utf8')
    for (const each of [text, stdout, stderr]) expect(each).not.toContain(secret)
    expect(arrived.length).toBeLessThanOrEqual(20)
    const gaps = arrived.slice(1).map(({ atMs }, at) => atMs - arrived[at].atMs)
    expect(Math.min(...gaps)).toBeGreaterThan(400)
    const planned = await quotaspecInTurn(['plan', '--contract', out, '--target', target], { env: { API_KEY: secret } })
    expect([planned.code, planned.stderr]).toEqual([0, ''])
  })

  test('the first refusal is the last request, and is read', async () => {
    const { arrived, target } = await serving(hourly(3))
    const { code, stdout, stderr } = await discovering(target, '--probe', '/items')
    expect(code).toBe(0)
    expect(arrived).toHaveLength(4)
    expect(stderr).toContain('stopped because request 4 was answered 429')
    expect(stdout).toContain('retryAfter: {as: seconds, level: must}')
  })

  test('a file that is there already is not touched, and nothing is asked', async () => {
    const { arrived, target } = await serving(hourly(3))
    const out = join(folder, 'kept.yaml')
    writeFileSync(out, 'mine')
    const { code, stderr } = await quotaspecInTurn(['discover', '--target', target, '--out', out])
    expect([code, stderr]).toEqual([3, expect.stringContaining('it exists already')])
    expect([arrived.length, readFileSync(out, 'utf8')]).toEqual([0, 'mine'])
  })

  test.each<[string, string[], RegExp]>([
    ['a credential that is turned away', ['--header', header], /the target answered 401 to the credential key/],
    ['a header without a name', ['--header', secret], /--header takes a name and a value/],
    ['a window that is none', ['--window', '1w'], /--window 1w: must be/],
    ['a path that is none', ['--probe', 'items'], /begins with a slash/],
  ])(
    '%s ends with 3 and what to type, and without the secret',
    async (_, args, sentence) => {
      const { target } = await serving((_request, response) => response.writeHead(401).end())
      const out = join(folder, 'none.yaml')
      const { code, stdout, stderr } = await quotaspec(['discover', '--target', target, '--out', out, ...args])
      expect([code, stderr]).toEqual([3, expect.stringMatching(sentence)])
      expect(`${stdout}${stderr}`).not.toContain(secret)
      expect(existsSync(out)).toBe(false)
    },
    60_000,
  )

  test('a target that does not answer ends with 3', async () => {
    const { target } = await serving((request) => request.socket.destroy())
    const { code, stderr } = await quotaspecInTurn(['discover', '--target', target])
    expect([code, stderr]).toEqual([3, expect.stringContaining('did not answer')])
  })
})
