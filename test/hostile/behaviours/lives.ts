import type { HeaderLine } from '../../../src/evidence/exchange.js'
import type { Behaviour } from '../behaviour.js'
import { type Turn, whole } from '../front.js'

const redirecting =
  (locationOf: (turn: Turn) => string) =>
  (turn: Turn): void =>
    void turn.socket.write(
      whole({ ...turn.healthy, status: 302, reason: 'Found' }, ['Location', locationOf(turn)] satisfies HeaderLine),
    )

/** What goes wrong from one answer to the next. */
export const lives: readonly Behaviour[] = [
  {
    id: 'dies-and-returns',
    does: 'dies in the middle and comes back',
    kind: 'unproven',
    act: ({ socket, healthy, nth }) =>
      void (nth >= 3 && nth < 6 ? socket.resetAndDestroy() : socket.write(whole(healthy))),
  },
  {
    id: 'changes-version',
    does: 'answers each request from another version of itself',
    kind: 'broken',
    act({ socket, healthy, nth }) {
      const text = healthy.body.toString()
      const body = nth % 2 === 0 ? text : text.replace(/"quantity":(\d+)/g, '"stock":$1')
      socket.write(whole({ ...healthy, body: Buffer.from(body) }))
    },
  },
  {
    id: 'forgets-writes',
    does: 'answers from two copies, of which one knows of no change',
    kind: 'broken',
    act: (() => {
      let first: Buffer | undefined
      return ({ socket, healthy, method, nth }: Turn) => {
        const isList = method === 'GET' && healthy.status === 200
        if (isList) first ??= healthy.body
        socket.write(whole(isList && nth > 3 && first ? { ...healthy, body: first } : healthy))
      }
    })(),
    underLoad: false,
  },
  {
    id: 'redirects-round',
    does: 'redirects to itself without end',
    kind: 'bad',
    act: redirecting(({ path }) => path),
  },
  {
    id: 'redirects-elsewhere',
    does: 'redirects to another host, to be given the key there',
    kind: 'bad',
    act: redirecting(({ path }) => `http://127.0.0.2:9${path}`),
  },
  {
    id: 'answers-twice',
    does: 'sends each answer twice, at once',
    kind: 'odd',
    act: ({ socket, healthy }) => void socket.write(Buffer.concat([whole(healthy), whole(healthy)])),
  },
  {
    id: 'answers-the-one-before',
    does: 'gives each request the answer that was due to the one before',
    kind: 'broken',
    act: (() => {
      let before: Buffer | undefined
      return ({ socket, healthy, nth }: Turn) => {
        const due = whole(healthy)
        socket.write(nth === 0 || !before ? due : before)
        before = due
      }
    })(),
    underLoad: false,
  },
]
