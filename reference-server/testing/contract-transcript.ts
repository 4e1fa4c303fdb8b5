import type { ApiContract } from '../../src/contract/api-contract.js'
import { askContract } from './ask-contract.js'

/**
 * Plays a fixed row of requests at a server of this contract, over several windows, and writes down what came back: a
 * departure that shows nowhere in it is none.
 */
export const contractTranscript = async (
  contract: ApiContract,
  departures: { readonly faults?: string[]; readonly variations?: string[] },
): Promise<string[]> => {
  const { ask, times, clock } = askContract(contract, departures)
  const lines: string[] = []
  const [[probe, other, costly = other], [first, second]] = [
    Object.keys(contract.requests),
    Object.keys(contract.credentials),
  ]
  const note = (answers: Awaited<ReturnType<typeof times>>) => {
    for (const { status, headers, body, names } of answers) {
      const { date, ...shown } = headers
      lines.push(`${clock.ms} ${status} ${date === undefined} ${JSON.stringify(shown)} ${names.join()} ${body}`)
    }
  }
  const half = Math.floor(Math.min(...contract.quotas.map(({ limit }) => limit[second])) / 2)
  // Within the limit, so that no block hides when it comes back.
  for (const [ms, count] of [
    [200, half],
    [1_200, half],
    [2_000, 1],
    [2_700, half],
  ]) {
    clock.ms = ms
    note(await times(count, probe, second))
  }
  note(await times(3, probe, first))
  clock.ms = 20_100
  note(await times(5, other, first))
  note(await times(45, probe, first))
  note(await times(20, costly, second))
  note(await times(2, probe, first, { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'somebody-else' }))
  clock.ms = 20_600
  note(await times(1, costly, first))
  for (const ms of [21_300, 21_700, 22_400, 24_500, 27_000, 30_200, 34_200]) {
    clock.ms = ms
    note(await times(12, probe, first))
  }
  clock.ms = 60_000
  note(await Promise.all(Array.from({ length: 60 }, () => ask(probe, second))))
  return lines
}
