import type { ApiContract } from '../../src/contract/api-contract.js'
import { askContract, withQuery } from './ask-contract.js'

/**
 * Sends a fixed sequence of requests to a server of this contract, over several windows, and yields the answers line by
 * line: a departure that shows nowhere in them is none.
 */
export async function* contractTranscript(
  contract: ApiContract,
  departures: { readonly faults?: string[]; readonly variations?: string[] },
): AsyncGenerator<string> {
  const { ask, times, clock } = askContract(contract, departures)
  const [[probe, other, costly = other], [first, second]] = [
    Object.keys(contract.requests),
    Object.keys(contract.credentials),
  ]
  const told = (answers: Awaited<ReturnType<typeof times>>) =>
    answers.map(({ status, headers: { date, ...shown }, body, names }) =>
      [clock.ms, status, date === undefined, JSON.stringify(shown), names.join(), body].join(' '),
    )
  const half = Math.floor(Math.min(...contract.quotas.map(({ limit }) => limit[second])) / 2)
  // Within the limit, so that no block hides when the quota is back.
  for (const [ms, count] of [
    [200, half],
    [1_200, half],
    [2_000, 1],
    [2_700, half],
  ]) {
    clock.ms = ms
    yield* told(await times(count, probe, second))
  }
  yield* told(await times(3, probe, first))
  clock.ms = 20_100
  yield* told(await times(5, other, first))
  yield* told(await times(45, probe, first))
  yield* told(await times(20, costly, second))
  yield* told(await times(2, probe, first, { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'somebody-else' }))
  yield* told([await ask(probe, first, {}, (target) => withQuery(target, '_=1'))])
  yield* told([
    await ask(probe, first, {}, (target) =>
      target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ),
  ])
  const loud = (text: string) => text.replaceAll(`key-of-${first}`, (key) => key.toUpperCase())
  const inLoud = (shown: Record<string, string>) =>
    Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, loud(value)]))
  yield* told([await ask(probe, first, inLoud, loud)])
  const lowerCase = ({ authorization }: Record<string, string>): Record<string, string> =>
    authorization ? { authorization: authorization.replace(/^\w+/, (scheme) => scheme.toLowerCase()) } : {}
  yield* told(await times(2, probe, first, lowerCase))
  clock.ms = 20_600
  yield* told(await times(1, costly, first))
  for (const ms of [21_300, 21_700, 22_400, 24_500, 27_000, 30_200, 34_200]) {
    clock.ms = ms
    yield* told(await times(12, probe, first))
  }
  clock.ms = 60_000
  yield* told(await Promise.all(Array.from({ length: 60 }, () => ask(probe, second))))
}
