import type { LoadSpec } from './load-spec.js'

/** The most that connecting may take unless the spec says otherwise. */
export const usualConnectTimeoutMs = 5000
/** What a load may take beside its answers: to start, and to end its connections. */
const slackMs = 5000
/** A ledger numbers connections with 16 bits. */
const mostConnections = 65_535

/** Throws where no load can be made of the spec. */
export const refuseNonsense = ({ amount, connections, timeoutMs, headers, url, shape }: LoadSpec): void => {
  if (!Number.isSafeInteger(amount) || amount < 1) throw new RangeError(`a load of ${amount} requests`)
  if (!Number.isSafeInteger(connections) || connections < 1 || connections > mostConnections) {
    throw new RangeError(`a load over ${connections} connections`)
  }
  if (shape && !(Number.isFinite(shape(0)) && Number.isFinite(shape(amount - 1)))) {
    throw new RangeError('a load whose shape names no time')
  }
  if (!(timeoutMs > 0)) throw new RangeError(`a load with a timeout of ${timeoutMs} ms`)
  if (!/^https?:$/.test(new URL(url).protocol)) throw new RangeError('a load needs an http or https address')
  const broken = Object.entries(headers).find(([name, value]) => /[\r\n\0]/.test(name + value))
  if (broken) throw new RangeError(`the header ${JSON.stringify(broken[0])} holds a line break`)
}

/** What a load may take at most, in milliseconds: every answer and body as late as allowed, and a little more. */
export const longestMs = (spec: LoadSpec): number => {
  const { shape, amount, connections, timeoutMs, connectTimeoutMs = usualConnectTimeoutMs } = spec
  const answersMs = shape ? shape(amount - 1) + 2 * timeoutMs : Math.ceil(amount / connections) * 2 * timeoutMs
  return connectTimeoutMs + slackMs + answersMs
}
