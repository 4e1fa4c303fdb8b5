import type { ApiContract } from '../../contract/api-contract.js'
import type { FieldPlaces } from '../fields.js'
import { type BrokenKey, trafficJudge } from '../judge-traffic.js'
import { readTraffic } from '../traffic.js'
import { jsonFields, jsonLine, logOf, nginxLine, type ServedRequest, shopContract } from './organic.js'

/** Logs of the two clocks that servers have. */
export const clocks = {
  'of a millisecond': { format: 'json', line: jsonLine, fields: jsonFields },
  'of a second': { format: 'nginx', line: nginxLine, fields: {} },
} as const satisfies Readonly<
  Record<string, { format: string; line: (served: ServedRequest) => string; fields: FieldPlaces }>
>
export type ClockName = keyof typeof clocks

interface Claimed {
  readonly isComplete: boolean
  readonly contract?: ApiContract
  /** How many requests are held at once. */
  readonly capacity?: number
}

/** The clients that break the quota, as a log shows. */
export const foundInLog = async (
  served: readonly ServedRequest[],
  clock: ClockName,
  { isComplete, contract = shopContract(), capacity = 20_000 }: Claimed,
): Promise<readonly BrokenKey[]> => {
  const { format, line, fields } = clocks[clock]
  const judge = trafficJudge(contract, isComplete)
  const logs = [{ file: logOf(served.map(line)), clock: { errorMs: 0, longestMs: undefined } }]
  await readTraffic({ contract, logs, format, fields, requests: [], secrets: {}, capacity }, judge.take)
  return judge.judged().flatMap(({ broken }) => broken)
}
