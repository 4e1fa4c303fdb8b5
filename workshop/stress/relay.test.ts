import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../reference-server/http/listening.js'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { type Front, type OpenPassage, startFront } from './relay.js'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

const opened = <T extends RunningServer | Front>(each: T): T => {
  open.push(each)
  return each
}

/** Longer waits for the earlier pieces: whoever lets one overtake another shows it. */
const shrinking: OpenPassage = () => {
  let waitMs = 12
  const next = () => {
    waitMs = Math.max(0, waitMs - 4)
    return waitMs
  }
  return { requestWaitMs: next, answerWaitMs: next }
}

/** A target that plays this on each connection. */
const playing = async (play: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    play(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
}

const dial = (url: string) => connect(Number(new URL(url).port), '127.0.0.1')

const heard = async (socket: Socket): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('a front', () => {
  it('says where it stands, with the path of the target behind it', async () => {
    const server = opened(await startReferenceServer())
    const front = opened(await startFront(server.url, shrinking))
    expect(front.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(front.url).not.toBe(server.url)
  })

  it('changes no byte of what is asked and answered, and keeps the order of the pieces', async () => {
    let asked = ''
    const target = await playing((socket) => {
      socket.on('data', (piece) => {
        asked += piece
        if (!asked.endsWith('end')) return
        for (const each of ['HTTP/1.1 200 ', 'OK\r\n', 'no empty line, ', 'and no length']) socket.write(each)
        socket.end()
      })
    })
    const front = opened(await startFront(target, shrinking))
    const socket = dial(front.url)
    for (const each of ['GARBAGE\r\n', '\0\x01', 'without ', 'an ', 'end']) {
      socket.write(each)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await heard(socket)).toBe('HTTP/1.1 200 OK\r\nno empty line, and no length')
    expect(asked).toBe('GARBAGE\r\n\0\x01without an end')
  })

  it('hands on all that was said before a target broke off, and then the end', async () => {
    const target = await playing((socket) => socket.write('half an answ', () => socket.destroy()))
    const front = opened(await startFront(target, shrinking))
    expect(await heard(dial(front.url))).toBe('half an answ')
  })

  it('hands on a request whose sender does not stay for the answer', async () => {
    let arrived: (text: string) => void = () => {}
    const asked = new Promise<string>((resolve) => {
      arrived = resolve
    })
    const target = await playing((socket) => void heard(socket).then(arrived))
    const front = opened(await startFront(target, shrinking))
    const socket = dial(front.url)
    socket.write('a last word', () => socket.destroy())
    expect(await asked).toBe('a last word')
  })

  it('keeps a connection for the next request, and lets a burst through whole', async () => {
    const keys = [{ plan: 'free', secret: 'free-key' }] as const
    const server = opened(await startReferenceServer({ keys }))
    const front = opened(await startFront(server.url, shrinking))
    const headers = { authorization: 'Bearer free-key' }
    const answers = await Promise.all(Array.from({ length: 90 }, () => fetch(`${front.url}/inventory`, { headers })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.map(({ headers: told }) => told.get('connection'))).not.toContain('close')
  })

  it('lets go of whoever dials a target that is gone', async () => {
    const gone = await startReferenceServer()
    await gone.close()
    const front = opened(await startFront(gone.url, shrinking))
    expect(await heard(dial(front.url))).toBe('')
  })
})
