import type { HeaderLine } from '../../../src/evidence/exchange.js'
import type { Behaviour } from '../behaviour.js'
import { type Turn, whole } from '../front.js'

const isLimit = ([name]: HeaderLine) => /^x-ratelimit-/i.test(name)

/** The healthy answer with other values in its X-RateLimit headers. */
const withLimits =
  (changed: (value: string, name: string) => string) =>
  ({ socket, healthy }: Turn): void => {
    const headers = healthy.headers.map(
      ([name, value]): HeaderLine =>
        isLimit([name, value]) ? [name, changed(value, name.toLowerCase())] : [name, value],
    )
    socket.write(whole({ ...healthy, headers }))
  }

/** Serves the first requests, and refuses the others with these headers. */
const refusing =
  (status: number, ...headers: readonly HeaderLine[]) =>
  ({ socket, healthy, nth }: Turn): void => {
    if (nth < 2) socket.write(whole(healthy))
    else socket.write(whole({ ...healthy, status, reason: 'No' }, ...headers))
  }

const wait = (value: string): HeaderLine => ['Retry-After', value]

/** What goes wrong with what is said of limits. */
export const limits: readonly Behaviour[] = [
  {
    id: 'limits-twice',
    does: 'sends each X-RateLimit header twice, with values that differ',
    kind: 'broken',
    act: ({ socket, healthy }) =>
      void socket.write(
        whole(
          healthy,
          ...healthy.headers.filter(isLimit).map(([name, value]): HeaderLine => [name, `${Number(value) + 1}`]),
        ),
      ),
  },
  ...(
    [
      ['limits-of-400-digits', 'sends limits of 400 digits', '9'.repeat(400)],
      ['limits-nan', 'sends NaN for its limits', 'NaN'],
      ['limits-infinite', 'sends Infinity for its limits', 'Infinity'],
      ['limits-negative', 'sends limits below zero', '-1'],
      ['limits-exponent', 'sends its limits with an exponent', '6e1'],
      ['limits-empty', 'sends empty limits', ''],
    ] as const
  ).map(
    ([id, does, value]): Behaviour => ({
      id,
      does,
      kind: 'broken',
      act: withLimits(() => value),
      // What a value is read as is the same under load, which the longest stands for.
      ...(value.length < 400 && { underLoad: false }),
    }),
  ),
  {
    id: 'reset-of-the-year-9999',
    does: 'names the end of the year 9999 as Reset',
    kind: 'broken',
    act: withLimits((value, name) => (name.endsWith('reset') ? '253402300799' : value)),
    underLoad: false,
  },
  {
    id: 'clock-jumps-back',
    does: 'has a clock that jumps back an hour',
    kind: 'bad',
    act({ socket, healthy, nth }) {
      const back = nth % 2 === 0 ? 0 : 3_600
      const headers = healthy.headers.map(([name, value]): HeaderLine => {
        if (/^date$/i.test(name)) return [name, new Date(Date.parse(value) - back * 1000).toUTCString()]
        return /reset$/i.test(name) ? [name, String(Number(value) - back)] : [name, value]
      })
      socket.write(whole({ ...healthy, headers }))
    },
  },
  { id: '429-for-ever', does: 'answers every request 429', kind: 'bad', act: refusing(429) },
  {
    id: '429-at-once-again',
    does: 'answers every request 429 and Retry-After: 0',
    kind: 'bad',
    act: refusing(429, wait('0')),
    underLoad: false,
  },
  { id: '503-for-ever', does: 'answers every request 503', kind: 'bad', act: refusing(503) },
  ...(
    [
      ['retry-after-10-12', '1000000000000'],
      ['retry-after-year-9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
      ['retry-after-negative', '-1'],
      ['retry-after-rfc850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
      ['retry-after-asctime', 'Sun Nov  6 08:49:37 1994'],
      ['retry-after-400-digits', '9'.repeat(400)],
      ['retry-after-nan', 'NaN'],
      ['retry-after-no-date', 'Thu, 99 Xxx 2026 99:99:99 GMT'],
    ] as const
  ).map(
    ([id, value]): Behaviour => ({
      id,
      does: `answers every request 429 and Retry-After: ${value.length > 40 ? `${value.slice(0, 5)}… (${value.length} digits)` : value}`,
      kind: 'bad',
      act: refusing(429, wait(value)),
      ...(value.length < 400 && { underLoad: false }),
    }),
  ),
]
