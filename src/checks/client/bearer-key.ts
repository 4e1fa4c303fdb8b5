import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, noBearerFacts } from './client-check.js'

/** Every request carries `Authorization: Bearer` with the key that the client was given. */
export const bearerKey: ClientCheck = {
  id: 'client.bearer-key',
  promise: 'every request carries the key as Authorization: Bearer',
  clause: 'CLIENT-5',
  judge({ audit }) {
    const { arrivals } = audit
    if (arrivals.length === 0) return clientFinding('inconclusive', 'never-arrived', {})
    const strangers = arrivals.filter(({ credential }) => credential !== 'bearer')
    const [first] = strangers
    if (first) return clientFinding('fail', 'no-bearer', noBearerFacts(audit, first), ...strangers)
    return clientFinding('pass', 'held', { examined: arrivals.length })
  },
}
