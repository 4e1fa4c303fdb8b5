import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { executeRun } from '../../src/assembly/build-report.js'
import type { HeaderLine } from '../../src/evidence/exchange.js'
import { prepareRun } from '../../src/run/options/prepare-run.js'
import { programSource, settleOptions } from '../../src/run/options/settle-options.js'
import { startFront, type Turn, whole } from './front.js'

/** Keys that are words of the interface, of HTTP or of the program, or numbers: what is said with them is no echo. */
const words = [
  'minute',
  'enterprise',
  'release-gate',
  'limit',
  'reset',
  'retry-after',
  'status',
  'petId',
  'quantity',
  'available',
  'application',
  'inventory',
  'bearer',
  'message',
  '12345',
  '17000',
]

const timeScale = 6
const label = '‹free key›'

/** Plays smoke against a server that knows the key, and answers as `act` has it. */
const play = async (secret: string, act?: (turn: Turn) => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-words-'))
  const behind = await startReferenceServer({ keys: [{ plan: 'free', secret }], timeScale, port: 0 })
  const front = await startFront({
    behind: behind.url,
    act: act ?? (({ socket, healthy }) => void socket.write(whole(healthy))),
  })
  const target = `http://127.0.0.1:${front.port}/v1`
  const options = { target, scenario: 'smoke', keys: { free: secret }, timeScale, out: folder, seed: 7 }
  try {
    const { crashes, ...run } = await executeRun(prepareRun(settleOptions([programSource(options)]), {}), {
      out: folder,
      interrupt: new AbortController().signal,
      watch: () => {},
    })
    if (crashes.length > 0) throw crashes[0].error
    return run
  } finally {
    await front.close()
    await behind.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const verdictsOf = ({ report }: Awaited<ReturnType<typeof play>>): string[] =>
  report.clauses.map(({ id, verdict, reason }) => `${id} ${verdict} ${reason}`)

describe('a key that is a word', { concurrent: true }, () => {
  it('turns no verdict on a target that never sends it back', async ({ expect }) => {
    const ordinary = verdictsOf(await play('Kq83Wz71Pm40Xj65Tr2'))
    for (const word of words) expect([word, ...verdictsOf(await play(word))]).toEqual([word, ...ordinary])
  })

  for (const word of words)
    it(`${word} is hidden where the target sends it back, and nothing that the program says is`, async ({ expect }) => {
      const { evidence } = await play(word, ({ socket, healthy }) => {
        const headers: HeaderLine[] = [['X-Echo', `you sent ${word}`]]
        const body = Buffer.from(`{"echo":"${word}","list":${healthy.body}}`)
        socket.write(whole({ ...healthy, body, reason: word }, ...headers))
      })
      const [hello] = evidence.exchanges
      expect(hello.request).toMatchObject({
        method: 'GET',
        url: `${evidence.run.baseUrl}/inventory`,
        headers: expect.arrayContaining([
          ['Authorization', `Bearer ${label}`],
          ['Accept', 'application/json'],
        ]),
      })
      expect(hello.response?.reason).toBe(label)
      expect(hello.response?.headers).toContainEqual(['X-Echo', `you sent ${label}`])
      expect(hello.response?.body.content).toMatch(new RegExp(`^{"echo":"${label}"`))
    })
})
