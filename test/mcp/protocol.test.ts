import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startReferenceServer } from '../../src/library/reference-server.js'
import { freshFolder, removeFolders } from '../cli/built-program.js'
import { withAgent } from './agent.js'

afterAll(removeFolders)

const secret = 'Vt7-free-secret-52'
const env = { QUOTASPEC_KEY_FREE: secret, SHOP_KEY: secret }

test('the tools are listed, each with what it takes, and none takes a key', async () => {
  await withAgent({ cwd: freshFolder() }, async ({ client }) => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['doctor', 'discover', 'plan', 'run', 'judge', 'explain', 'faults'])
    for (const { inputSchema, description } of tools) {
      expect(description).toMatch(/\.$/)
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('key')
    }
    expect(client.getInstructions()).toContain('no tool takes a key')
  })
})

test('nothing is sent to a host without leave, and no load without leave for load', async () => {
  const place = { args: ['--allow', 'api.example', '--allow-load', 'staging.example:8443'], env, cwd: freshFolder() }
  await withAgent(place, async ({ call }) => {
    for (const tool of ['doctor', 'discover', 'run', 'plan'])
      expect(await call(tool, { target: 'https://staging.example/v1' })).toEqual({
        isError: true,
        text: expect.stringContaining('start it with --allow staging.example'),
      })
    expect(await call('run', { target: 'https://api.example/v1' })).toEqual({
      isError: true,
      text: expect.stringContaining('no load may go to api.example'),
    })
    expect((await call('plan', { target: 'https://api.example/v1' })).text).toContain(
      'of these are load, which need --allow-load',
    )
    expect((await call('plan', { target: 'https://staging.example:8443/v1' })).text).toContain(
      '--allow-load permits it',
    )
  })
})

test('what the folder configures gives no leave', async () => {
  const cwd = freshFolder()
  writeFileSync(join(cwd, 'quotaspec.yaml'), 'target: https://api.example/v1\nallowLoad: true\n')
  await withAgent({ args: ['--allow', 'api.example'], env, cwd }, async ({ call }) => {
    const { text } = await call('run', { target: 'https://api.example/v1' })
    expect(text).toContain('no load may go to api.example')
  })
})

test('what can not be used is an answer that says what to give, and never a key', async () => {
  await withAgent({ env, cwd: freshFolder() }, async ({ call, messages }) => {
    const target = 'http://127.0.0.1:9/v1'
    expect((await call('discover', { target, header: ['X-Key: typed-by-the-model'] })).text).toContain(
      'name the variable',
    )
    expect((await call('discover', { target, header: ['X-Key: $NOT_SET'] })).text).toContain(
      'NOT_SET, which is not set',
    )
    expect((await call('run', { traget: target })).text).toBe('traget is not a field of run: did you mean target?')
    expect((await call('run', {})).text).toBe('target: must be text')
    expect((await call('run', { target, timeScale: '10' })).text).toBe('timeScale: must be a number')
    expect((await call('run', { target, key: 'x' })).isError).toBe(true)
    expect((await call('run', { target, only: ['RATE-99'] })).text).toContain('no clause, area or check')
    expect((await call('explain', { finding: 'QUOTA-1' })).text).toContain('or play a run first')
    expect((await call('nothing', {})).text).toContain('there is no tool nothing')
    expect((await call('faults', {})).text).toContain('limit-plus-one')
    expect(messages.join('\n')).not.toContain(secret)
  })
})

test('discover drafts a contract by a variable, and a target that says the key aloud does not bring it to the model', async () => {
  let asked = 0
  const echo = createServer(({ headers }, response) => {
    asked += 1
    const fields = {
      'X-RateLimit-Limit': 40,
      'X-RateLimit-Remaining': 40 - asked,
      'X-RateLimit-Echo-Limit': headers['x-key'] ?? 'nobody',
    }
    response.writeHead(200, { ...fields, 'Content-Type': 'text/plain' }).end(`you are ${headers['x-key']}`)
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  try {
    const target = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
    await withAgent({ env, cwd: freshFolder() }, async ({ call, messages }) => {
      const { text } = await call('discover', { target, header: ['X-Key: $SHOP_KEY'], probe: ['/items'] })
      expect(text).toContain('key: {scheme: header X-Key, env: SHOP_KEY}')
      expect(messages.join('\n')).not.toContain(secret)
    })
  } finally {
    echo.close()
  }
})

test('a long run tells how far it is, ends when it is cancelled, and leaves what can be judged', async () => {
  const timeScale = 10
  const server = await startReferenceServer({ keys: { free: secret }, timeScale })
  const cwd = freshFolder()
  try {
    await withAgent({ env, cwd }, async ({ call, messages }) => {
      const cancelling = new AbortController()
      const seen: { readonly progress: number; readonly total?: number }[] = []
      const run = call(
        'run',
        { target: server.url, timeScale },
        {
          signal: cancelling.signal,
          onprogress(progress) {
            seen.push(progress)
            if (seen.length === 2) cancelling.abort('enough')
          },
        },
      )
      await expect(run).rejects.toThrow('enough')
      expect(seen[1].progress).toBeGreaterThan(seen[0].progress)
      expect(seen[1].total).toBeGreaterThanOrEqual(seen[1].progress)
      await vi.waitFor(() => expect(existsSync(join(cwd, 'reports/mcp/report.json'))).toBe(true), { timeout: 30_000 })
      expect((await call('judge', {})).text).toMatch(/interrupted/i)
      expect(messages.join('\n')).not.toContain(secret)
    })
  } finally {
    await server.close()
  }
})
