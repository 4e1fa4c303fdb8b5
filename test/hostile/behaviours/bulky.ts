import type { Behaviour } from '../behaviour.js'
import { type Turn, whole } from '../front.js'

const halfMegabyte = 2 ** 19

/** The healthy answer with a long text in its first item, or in its error. */
const lengthened =
  (textOf: (nth: number) => string) =>
  ({ socket, healthy, nth }: Turn): void => {
    const text = textOf(nth)
    const body = healthy.body
      .toString()
      .replace('"message":"', (found) => `${found}${text}`)
      .replace('"quantity":', (found) => `"note":"${text}",${found}`)
    socket.write(whole({ ...healthy, body: Buffer.from(body) }))
  }

/** What is only large. */
export const bulky: readonly Behaviour[] = [
  {
    id: 'texts-of-half-a-megabyte',
    does: 'has items and errors whose texts are half a megabyte',
    kind: 'conforming',
    act: lengthened(() => 'x'.repeat(halfMegabyte)),
    underLoad: false,
  },
  {
    id: 'other-texts-each-time',
    does: 'has such texts, and others in each answer',
    kind: 'conforming',
    act: lengthened((nth) => `${nth} ${'é'.repeat(halfMegabyte)}`),
    underLoad: false,
  },
  {
    id: 'millions-of-values',
    does: 'answers with 2,700,000 empty objects',
    kind: 'bad',
    act: ({ socket, healthy, nth }) =>
      void socket.write(whole({ ...healthy, body: Buffer.from(`[${nth}${',{}'.repeat(2_700_000)}]`) })),
    underLoad: false,
  },
  {
    id: 'thousands-of-short-headers',
    does: 'has 5,000 short headers in each answer, other ones each time',
    kind: 'conforming',
    act: ({ socket, healthy, nth }) =>
      void socket.write(whole(healthy, ...Array.from({ length: 5_000 }, (_, at) => [`a${at}`, String(nth)] as const))),
    underLoad: false,
  },
]
