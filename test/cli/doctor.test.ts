import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { startReferenceServer } from '../../src/library/reference-server.js'
import { shownCertificate } from '../../src/wire/http/shown-certificate.js'
import { authority, expired, key, valid } from '../hostile/certificates.js'
import { freshFolder, quotaspec, quotaspecInTurn, whileServingHere } from './built-program.js'

const secret = 'doctor-free-Po98Iu76Yt54'

/** A server that shows a certificate and says nothing. */
const whileShowing = async <T>(cert: string, use: (port: number) => Promise<T>): Promise<T> => {
  const server: Server = createServer({ key, cert }, (socket) => void socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.close()
  }
}

const told = (stdout: string): string => stdout.replace(/\s+/g, ' ')

describe('quotaspec doctor', { concurrent: true }, () => {
  it('says that all is well, with a handful of requests and no secret', async ({ expect }) => {
    await whileServingHere(['--key', `free=${secret}`], async (target) => {
      const given = { env: { QUOTASPEC_KEY_FREE: secret } }
      const { code, stdout } = await quotaspec(['doctor', '--target', target], given)
      expect(code).toBe(0)
      expect(told(stdout)).toContain('✓ address 127.0.0.1, this machine: load may go there')
      expect(told(stdout)).toContain('✓ key free accepted (200); its limit is 60')
      expect(told(stdout)).toMatch(/[✓!] machine sends 200 a second within [\d.]+ ms/)
      expect(stdout).not.toContain(secret)
      const answer = await fetch(`${target}/inventory`, { headers: { Authorization: `Bearer ${secret}` } })
      expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(54)
    })
  })

  it('looks at the keys of a contract', async ({ expect }) => {
    const contract = fileURLToPath(new URL('../contracts/leaky-bucket.yaml', import.meta.url))
    const server = await startReferenceServer({ contract, keys: { shop: secret, other: `${secret}-2` } })
    try {
      const given = { env: { LEAKY_SHOP: secret, LEAKY_OTHER: `${secret}-2` } }
      const { code, stdout } = await quotaspecInTurn(['doctor', '--target', server.url, '--contract', contract], given)
      expect([code, told(stdout)]).toEqual([0, expect.stringContaining('✓ key shop accepted (200)')])
    } finally {
      await server.close()
    }
  })

  it('tells each key that has the limit of another plan of its own', async ({ expect }) => {
    const [free, pro] = [secret, `${secret}-pro`]
    await whileServingHere(['--key', `free=${free}`, '--key', `pro=${pro}`], async (target) => {
      const given = { env: { QUOTASPEC_KEY_FREE: pro, QUOTASPEC_KEY_PRO: free } }
      const { code, stdout } = await quotaspecInTurn(['doctor', '--target', target], given)
      expect(code).toBe(0)
      expect(told(stdout)).toMatch(
        /! key free .* a limit of 300, but the agreed limit is 60 .* ! key pro .* a limit of 60, but the agreed limit is 300/,
      )
    })
  })

  it('ends with 2 where a key is not accepted, and says which', async ({ expect }) => {
    await whileServingHere(['--key', `free=${secret}`], async (target) => {
      const given = { env: { QUOTASPEC_KEY_FREE: secret, QUOTASPEC_KEY_PRO: 'doctor-other-Qw12' } }
      const { code, stdout } = await quotaspecInTurn(['doctor', '--target', target], given)
      expect(code).toBe(2)
      expect(told(stdout)).toContain('✗ key pro not accepted (401) → check --key, --key-file or QUOTASPEC_KEY_PRO')
    })
  })

  it('ends with 2 where there is no inventory, and says that and nothing of a run', async ({ expect }) => {
    await whileServingHere(['--key', `free=${secret}`], async (target) => {
      const args = ['doctor', '--target', `${target}/elsewhere`, '--key', `free=${secret}`]
      const { code, stdout } = await quotaspecInTurn(args)
      expect(code).toBe(2)
      expect(told(stdout)).toMatch(
        /✗ answers http:\/\/127\.0\.0\.1:\d+\/v1\/elsewhere\/inventory answered 404: not a Petstore/,
      )
    })
  })

  it('ends with 2 where the certificate has expired, and with 3 without a target', async ({ expect }) => {
    const ca = join(freshFolder(), 'ca.pem')
    writeFileSync(ca, authority)
    await whileShowing(expired, async (port) => {
      const target = `https://127.0.0.1:${port}/v1`
      const { code, stdout } = await quotaspecInTurn([
        'doctor',
        '--target',
        target,
        '--ca',
        ca,
        '--key',
        `free=${secret}`,
      ])
      expect(code).toBe(2)
      expect(told(stdout)).toMatch(/✗ TLS TLSv1\.3, valid until 2021-01-01 \(-\d+ days\), for localhost, 127\.0\.0\.1/)
      expect(told(stdout)).toContain('has expired')
    })
    expect(await quotaspecInTurn(['doctor'])).toMatchObject({ code: 3 })
  })
})

describe('the certificate that a target shows', () => {
  it('is told with whom it is for, and whether it is trusted', async ({ expect }) => {
    await whileShowing(valid, async (port) => {
      const question = { host: '127.0.0.1', port, withinMs: 5_000 }
      const trusted = await shownCertificate({ ...question, ca: authority })
      expect(trusted).toEqual({
        names: ['localhost', '127.0.0.1'],
        issuer: 'quotaspec test CA',
        validToMs: Date.UTC(2120, 0, 1),
        protocol: 'TLSv1.3',
      })
      expect(await shownCertificate(question)).toMatchObject({ distrust: expect.stringMatching(/UNABLE_TO/) })
    })
  })

  it('is none where nobody speaks TLS', async ({ expect }) => {
    await whileServingHere(['--key', `free=${secret}`], async (target) => {
      const port = Number(new URL(target).port)
      expect(await shownCertificate({ host: '127.0.0.1', port, withinMs: 5_000 })).toBeUndefined()
    })
  })
})
