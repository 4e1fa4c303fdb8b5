import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type LaunchOptions, launch, quotaspecInTurn } from './built-program.js'

const file = fileURLToPath(new URL('../contracts/blocking.yaml', import.meta.url))

/** Serves the contract on a free port; what it wrote, and the statuses of these secrets' requests, side by side. */
const served = async (args: readonly string[], options: LaunchOptions, secrets: (written: string) => string[]) => {
  const server = launch(['serve', '--port', '0', '--contract', file, ...args], options)
  try {
    const written = await server.untilWritten('stdout', 'listening on ')
    const [, url] = /listening on (\S+)\n/.exec(written) ?? []
    const statuses = secrets(written).map(async (secret) => {
      const authorization = `Basic ${Buffer.from(secret).toString('base64')}`
      return (await fetch(`${url}/items?limit=1`, { headers: { authorization } })).status
    })
    return (await Promise.all(statuses)).sort()
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
  }
}

const times = (count: number, value: string) => Array.from({ length: count }, () => value)
const env = { BLOCKING_FREE: 'free:a1B2c3', BLOCKING_PRO: 'pro:a1B2c3' }

describe('quotaspec serve --contract', () => {
  it('keeps the contract for the secrets of the environment', async () => {
    const statuses = await served(['--time-scale', '0.01'], { env }, () => [...times(15, 'free:a1B2c3'), 'free:wrong'])
    expect(statuses).toEqual([...Array(10).fill(200), 401, ...Array(5).fill(403)])
  })

  it('breaks it where that is asked for', async () => {
    const flags = ['--time-scale', '0.01', '--fault', 'limit-plus-one', '--variation', 'header-names-in-lower-case']
    const statuses = await served(flags, { env }, () => times(15, 'free:a1B2c3'))
    expect(statuses).toEqual([...Array(11).fill(200), ...Array(4).fill(403)])
  })

  it('says which secrets it made up', async () => {
    const statuses = await served([], {}, (written) => {
      const [, secret] = /^export BLOCKING_PRO=(\S+)$/m.exec(written) ?? []
      return [secret]
    })
    expect(statuses).toEqual([200])
  })

  it('has its faults listed, with the clauses that they break', async () => {
    const { stdout } = await quotaspecInTurn(['faults', '--contract', file])
    expect(stdout).toMatch(/^limit-plus-one +QUOTA-1 +One more than the limit/m)
    expect(stdout).toMatch(/^window-doubled +QUOTA-2 +A quota comes/m)
    expect(stdout).not.toContain('cost-ignored')
  })

  it.each([
    [
      'a fault that means nothing to it',
      ['--contract', file, '--fault', 'cost-ignored'],
      'it means nothing to blocking',
    ],
    ['a variation that is none', ['--contract', file, '--variation', 'undatd'], 'did you mean undated?'],
    [
      'an agreed quota',
      ['--contract', file, '--quota', 'enterprise=minute:1,day:2'],
      '--quota is for the Petstore only',
    ],
    ['a key of no credential', ['--contract', file, '--key', 'gold=abcdefgh'], 'CREDENTIAL=SECRET'],
    ['a ban without a contract', ['--block-after', '0'], '--block-after needs --contract'],
    ['a file that is not there', ['--contract', '/nowhere.yaml'], 'there is no contract /nowhere.yaml'],
  ])('refuses %s', async (_, args, told) => {
    const { code, stderr } = await quotaspecInTurn(['serve', '--port', '0', ...args])
    expect([code, stderr]).toEqual([3, expect.stringContaining(told)])
  })
})
