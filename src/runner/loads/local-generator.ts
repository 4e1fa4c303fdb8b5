import { askedRequest } from '../../contract/any/asked-request.js'
import { loadReading } from '../../limits/readings/dialect/load-reading.js'
import { loadSpecOf } from '../../load/load-means.js'
import type { Generator } from '../../load/load-order.js'
import { runLoad } from '../../load/run-load.js'
import { watchStalls } from '../../load/timing/event-loop-stall.js'
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
