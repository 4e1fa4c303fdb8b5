import { randomBytes } from 'node:crypto'
import { type Fleet, gatherFleet } from '../../agents/fleet.js'
import { openRedisWire, redisAddress } from '../../agents/redis-wire.js'
import { systemClock } from '../../kit/clock.js'
import { keyMark } from '../../run/options/keys.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import type { FleetArgs } from './configured-run.js'

const usualWithinSeconds = 30

/** Makes the agents of a run take part in it until `close`. An `AgentsMissing` if they are not there in time. */
export const openFleet = async (
  flags: Omit<FleetArgs, 'agents'>,
  { head, keys, options: { agents: wanted } }: Pick<PreparedRun, 'head' | 'keys' | 'options'>,
  signal: AbortSignal,
): Promise<{ readonly fleet: Fleet; close(): Promise<void> }> => {
  const clock = systemClock
  const wire = await openRedisWire(redisAddress(flags.redis, process.env), clock)
  const run = randomBytes(8).toString('hex')
  let shares = 0
  try {
    const fleet = await gatherFleet(
      {
        wire,
        clock,
        run,
        wanted,
        withinMs: (flags['agents-within'] ?? usualWithinSeconds) * 1000,
        target: head.baseUrl,
        timeScale: head.timeScale,
        contract: head.contract,
        marks: Object.fromEntries(keys.map(({ name, secret }) => [name, keyMark(secret)])),
        nextId: () => {
          shares += 1
          return `${run}-${shares}`
        },
      },
      signal,
    )
    return {
      fleet,
      async close() {
        await fleet.dismiss()
        await wire.close()
      },
    }
  } catch (error) {
    await wire.close()
    throw error
  }
}
