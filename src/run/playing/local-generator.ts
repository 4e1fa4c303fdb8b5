import { askedRequest } from '../../contract/asked-request.js'
import { loadReading } from '../../readings/load-reader.js'
import { watchStalls } from '../../wire/load/event-loop-stall.js'
import { loadSpecOf } from '../../wire/load/load-means.js'
import type { Generator } from '../../wire/load/load-order.js'
import { runLoad } from '../../wire/load/run-load.js'
import type { RunSetup } from '../run-setup.js'

/** Sends the loads of a run from this machine, with the run's own keys. */
export const localGenerator = ({
  head: { baseUrl, contract, timeScale },
  credentialOf,
  redactor,
  tls,
  pinnedAddress,
  clock,
  startedAt,
}: RunSetup): Generator => {
  return async (order, watch) => {
    const means = {
      baseUrl,
      asked: askedRequest(contract, order.request),
      credential: credentialOf(order.key),
      reading: loadReading(contract, timeScale, order),
      redactor,
      tls,
      pinnedAddress,
    }
    const stall = watchStalls(clock)
    const result = await runLoad(loadSpecOf(order, means, watch), clock, startedAt).finally(stall.end)
    return [{ result, stoodStillMs: stall.longestMs() }]
  }
}
