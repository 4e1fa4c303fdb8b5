import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { filesIn, freshFolder, quotaspec, quotaspecInTurn } from './built-program.js'

const ending: (() => void)[] = []
afterAll(() => {
  for (const end of ending) end()
})

const secret = 'Qy7-initial-secret'

const listening = async (answer: RequestListener) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An API that says what is left of 40 in a minute, and what it was sent. */
const serving = async () => {
  let used = 0
  const target = await listening(({ headers }, response) => {
    used += 1
    if (headers.authorization !== `Bearer ${secret}`) response.writeHead(401).end()
    else
      response.writeHead(200, { 'RateLimit-Policy': '"core";q=40;w=60', RateLimit: `"core";r=${40 - used};t=55` }).end()
  })
  return { used: () => used, target }
}

const header = ['--header', 'Authorization: Bearer $ACME_KEY']
const env = { ACME_KEY: secret }

// It asks gently, so that nearly all of its time is waiting.
describe.concurrent('init', () => {
  test('writes by its flags what plan takes as it is, with what the API shows, and no secret', async () => {
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
    const configured = await quotaspecInTurn(['plan'], { env, cwd: folder })
    expect([configured.code, configured.stdout]).toEqual([0, expect.stringContaining('burst')])
    const planned = await quotaspecInTurn(next.split(' ').slice(2), { env })
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('burst')])
    const again = await quotaspecInTurn(args, { env })
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('use --force to overwrite them')])
  })

  test('has editors check what it writes by the schemas of the package that is installed beside', async () => {
    const { target } = await serving()
    const folder = freshFolder()
    const schemas = join(folder, 'node_modules/quotaspec/schema')
    cpSync(new URL('../../schema', import.meta.url), schemas, { recursive: true })
    const args = ['init', folder, '--target', target, ...header, '--probe', '/items', '--ci', 'none', '--discover']
    expect((await quotaspec(args, { env })).code).toBe(0)
    for (const file of ['quotaspec.yaml', 'quotaspec/contract.yaml', 'quotaspec/release-gate.yaml']) {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, named = 'none'] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
      const { properties } = JSON.parse(readFileSync(join(folder, dirname(file), named), 'utf8'))
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(parse(text))))
    }
    expect((await quotaspecInTurn(['plan'], { env, cwd: folder })).code).toBe(0)
  })

  test('keeps what it found where nobody can be asked for the rest, and says what is left empty', async () => {
    let asked = 0
    const target = await listening((_, response) => {
      asked += 1
      response.writeHead(200, { 'X-RateLimit-Limit': 40, 'X-RateLimit-Remaining': 40 - asked }).end()
    })
    const folder = freshFolder()
    const args = ['init', folder, '--target', target, ...header, '--probe', '/items', '--ci', 'none', '--discover']
    const { code, stdout } = await quotaspec(args, { env })
    expect([code, stdout]).toEqual([0, expect.stringContaining('the window of core is not known and left empty')])
    const text = filesIn(folder).get('quotaspec/contract.yaml')?.toString() ?? ''
    expect(text).toContain(
      '    # NOT KNOWN, and not guessed: write what the documentation says, such as window: 1m\n    window:\n',
    )
    expect(text).toContain('    limit: 40\n')
    const early = asked
    const refused = await quotaspecInTurn([...args, '--force', '--window', '1 minute'], { env })
    expect([refused.code, refused.stderr, asked]).toEqual([3, expect.stringContaining('--window 1 minute'), early])
  })

  test('takes a second credential, asks with it, and leaves no secret of either', async () => {
    const second = 'Qy7-second-secret'
    const used: Record<string, number> = { [secret]: 0, [second]: 0 }
    let end: number | undefined
    const target = await listening(({ headers }, response) => {
      // A window begins with its first request, however long this machine takes to send that.
      end ??= Math.ceil(Date.now() / 1000) + 60
      const key = headers.authorization?.slice('Bearer '.length) ?? ''
      if (!(key in used)) return response.writeHead(401).end()
      used[key] += 1
      const limit = key === second ? 90 : 40
      const fields = {
        'X-RateLimit-Limit': limit,
        'X-RateLimit-Remaining': limit - used[key],
        'X-RateLimit-Reset': end,
      }
      return response.writeHead(200, fields).end()
    })
    const folder = freshFolder()
    const headers = [...header, '--header', `Authorization: Bearer ${second}`]
    const args = ['init', folder, '--target', target, ...headers, '--probe', '/items', '--ci', 'github', '--discover']
    const { code, stdout, stderr } = await quotaspec(args, { env })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('second ')])
    const files = filesIn(folder)
    const text = files.get('quotaspec/contract.yaml')?.toString() ?? ''
    expect(text).toContain('other: {scheme: bearer, env: ACME_KEY_2}')
    expect(text).toContain('limit: {key: 40, other: 90}')
    expect(text).toMatch(/counted separately\n {4}by: credential/)
    expect(files.get('.github/workflows/quotaspec.yml')?.toString()).toMatch(
      / ACME_KEY_2: \$\{\{ secrets\.ACME_KEY_2 \}\}/,
    )
    for (const content of [...files.values(), stdout, stderr])
      for (const each of [secret, second]) expect(content.includes(each)).toBe(false)
    const planned = await quotaspecInTurn(['plan'], { env: { ...env, ACME_KEY_2: second }, cwd: folder })
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/key +other/)])
  })

  test('asks nothing of the API unless it is told to, and says which flag is missing', async () => {
    const { used, target } = await serving()
    const folder = freshFolder()
    const args = ['init', folder, '--target', target, ...header, '--probe', '/items', '--ci', 'none', '--limit', '40']
    const refused = await quotaspecInTurn(args)
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('--window is missing')])
    expect([...filesIn(folder)]).toEqual([])
    const { code, stdout } = await quotaspecInTurn([...args, '--window', '1m'])
    expect([code, used()]).toEqual([0, 0])
    expect(stdout).toMatch(/\nACME_KEY=… node \S*main\.js plan /)
    writeFileSync(join(folder, 'quotaspec/contract.yaml'), 'mine')
    expect((await quotaspecInTurn([...args, '--window', '1m', '--force'])).code).toBe(0)
    expect(filesIn(folder).get('quotaspec/contract.yaml')?.toString()).toContain('limit: 40')
  })
})
