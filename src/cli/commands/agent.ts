import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '../../agents/agent.js'
import { agentLoads } from '../../agents/agent-setup.js'
import { loadRedisLibraries, openRedisWire, redisAddress } from '../../agents/redis-wire.js'
import { openSlotJournal } from '../../agents/slot-journal.js'
import { systemClock } from '../../kit/clock.js'
import { readKeyFile, typedKeys } from '../../run/options/keys.js'
import { tlsOf } from '../../run/options/safety.js'
import { isLoopback, parseTarget } from '../../run/options/target.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import { isLoopbackAddress, pinAddress } from '../../wire/http/pin-address.js'
import { type AgentFlags, checkedName } from '../agents/agent-options.js'
import { ownKeys } from '../agents/own-keys.js'
import { untilInterrupted } from '../output/interruption.js'
import { givenContract } from '../run/given-contract.js'

const withinMs = defaultExchangeLimits.connectMs

/** Load needs no leave where it can't leave this machine, whatever its name stands for. */
const staysHere = async (target: string): Promise<boolean> => {
  if (!isLoopback(target)) return false
  const pinned = await pinAddress(target, { withinMs })
  return !('error' in pinned) && isLoopbackAddress(pinned.address)
}

/** Puts load on a target for runs that are played elsewhere, until it is told to end. */
export const agent = async (flags: AgentFlags): Promise<void> => {
  const name = checkedName(flags)
  const target = parseTarget(flags.target)
  const runsOn = flags['runs-on'] === undefined ? target : parseTarget(flags['runs-on'], '--runs-on')
  const address = redisAddress(flags.redis, process.env)
  const tls = tlsOf(flags)
  const contract = await givenContract({ contract: flags.contract, target })
  const fromFile = flags['key-file'] === undefined ? [] : typedKeys(readKeyFile(flags['key-file']))
  const clock = systemClock
  const say = (text: string) => void process.stderr.write(`${name}: ${text}\n`)
  if (contract) ownKeys(contract, fromFile, process.env)
  const wire = await openRedisWire(address, clock, await loadRedisLibraries())
  const running = await startAgent({
    name,
    instance: randomBytes(8).toString('hex'),
    wire,
    clock,
    journal: openSlotJournal(flags.journal ?? join(tmpdir(), 'quotaspec-agents', name)),
    target,
    runsOn,
    mayLoad: async () => flags['allow-load'] || (await staysHere(target)),
    contract,
    keysFor: (each) => ownKeys(each, fromFile, process.env),
    loadsFor: agentLoads({ target, clock, tls, resolveWithinMs: withinMs }),
    mostRequests: flags['most-requests'],
    mostPerSecond: flags['most-per-second'],
    once: flags.once,
    say,
  })
  const { signal, release } = untilInterrupted(() => say('ending'))
  signal.addEventListener('abort', () => running.end('it was told to end'), { once: true })
  say(`ready, by ${address.shown}, to send to ${target}`)
  await running.ended
  release()
  await wire.close()
}
