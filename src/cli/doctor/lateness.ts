import { randomBytes } from 'node:crypto'
import { startReferenceServer } from '../../../reference-server/server.js'
import { systemClock } from '../../kit/clock.js'
import { runLoad } from '../../wire/load/run-load.js'
import { constantRate } from '../../wire/load/schedule.js'
import type { DoctorFacts } from './facts.js'

const perSecond = 200
const amount = 300
const limit = { minute: 1_000_000, day: 1_000_000 }

/** Sends an even load to a server of its own on this machine, and tells how late what was due went out. */
export const ownLateness = async (): Promise<DoctorFacts['lateness']> => {
  const secret = randomBytes(12).toString('hex')
  const server = await startReferenceServer({
    keys: [{ plan: 'enterprise', secret }],
    quotas: { enterprise: limit },
    port: 0,
  })
  try {
    const load = await runLoad(
      {
        url: `${server.url}/inventory`,
        method: 'GET',
        headers: { Authorization: `Bearer ${secret}` },
        amount,
        connections: 10,
        timeoutMs: 2_000,
        shape: constantRate(perSecond),
        redact: (text) => text,
      },
      systemClock,
      systemClock.monotonicMs(),
    )
    return { perSecond, ms: load.scheduleErrorMs }
  } finally {
    await server.close()
  }
}
