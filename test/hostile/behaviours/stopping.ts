import type { Behaviour } from '../behaviour.js'
import { headText, plainHeaders, type Turn, whole } from '../front.js'
import { drip } from './drip.js'

const everySecond = 1_000

const repeat = ({ socket }: Turn, text: string, everyMs: number): void => {
  const timer = setInterval(() => socket.writable && socket.write(text), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/**
 * What begins well and then keeps everybody waiting: each is healthy for so many requests, on all connections together,
 * and gives no more whole answers after that, without an end to its connections.
 */
export const stopping = (after: number): readonly Behaviour[] => {
  const then =
    (act: (turn: Turn) => void): Behaviour['act'] =>
    (turn) =>
      turn.nth < after ? void turn.socket.write(whole(turn.healthy)) : act(turn)
  const behaviour = (id: string, does: string, kind: Behaviour['kind'], act: (turn: Turn) => void): Behaviour => ({
    id,
    does: `${does} after ${after} requests`,
    kind,
    act: then(act),
  })
  return [
    behaviour('falls-silent', 'takes requests and says nothing more', 'unproven', () => {}),
    behaviour('deadlocks', 'reads nothing more, on no connection,', 'unproven', ({ socket }) => void socket.pause()),
    behaviour('slows-to-a-byte', 'sends a byte a second', 'unproven', ({ socket, healthy }) =>
      drip(socket, whole(healthy), everySecond),
    ),
    behaviour('hints-for-ever', 'answers with one 1xx after the other', 'unproven', (turn) =>
      repeat(turn, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 200),
    ),
    behaviour('never-ends-a-body', 'begins bodies that go on for ever, slowly,', 'bad', (turn) => {
      const { status, reason } = turn.healthy
      turn.socket.write(headText(status, reason, [...plainHeaders(turn.healthy), ['Transfer-Encoding', 'chunked']]))
      repeat(turn, '1\r\n \r\n', 200)
    }),
    behaviour('promises-too-long', 'names lengths longer than its bodies', 'bad', ({ socket, healthy }) => {
      socket.write(whole(healthy).subarray(0, -10))
    }),
    behaviour('loses-its-list', 'never answers a list', 'bad', ({ socket, healthy, method }) => {
      if (method !== 'GET' || healthy.status !== 200) socket.write(whole(healthy))
    }),
  ]
}
