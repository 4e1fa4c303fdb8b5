import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '../../agents/agent.js'
import { agentLoads, openSlotJournal, type RunMeans } from '../../agents/agent-setup.js'
import { openRedisWire, redisAddress } from '../../agents/redis-wire.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { systemClock } from '../../kit/clock.js'
import { UsageError } from '../../kit/usage-error.js'
import { keyMark, keysAtHand, readKeyFile } from '../../run/options/keys.js'
import type { GivenSecret } from '../../run/options/run-options.js'
import { isLoopback, parseTarget, tlsOf } from '../../run/options/target.js'
import { isHere, pinAddress } from '../../wire/http/pin-address.js'
import type { ArgsOf } from '../flags/command.js'
import type { serverCommands } from '../flags/servers.js'
import { untilInterrupted } from '../output/interruption.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof serverCommands.agent>

/** The given name. Throws a {@link UsageError} if flags are missing or invalid. */
const checkedName = ({ name, journal }: Args): string => {
  if (name === undefined || name === '')
    throw new UsageError('--name is missing: use one such as eu-1, which is an agent of the group eu')
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`--name ${name}: use up to 64 letters, digits, dots, hyphens and underscores`)
  if (journal !== undefined && !existsSync(journal))
    throw new UsageError(`--journal ${journal}: there is no such folder`)
  return name
}

/** A placeholder: an agent sends what it is told to, and only the run needs the agreed Enterprise quota. */
const anyQuota = { minute: 1, day: 1 }

/** The keys from this machine's environment or a key file, for a run with this contract or the Petstore's. */
export const ownMeans = (
  contract: ApiContract | undefined,
  fromFile: readonly GivenSecret[],
  environment: NodeJS.ProcessEnv,
): RunMeans => {
  const keys = keysAtHand(contract, fromFile, environment, anyQuota)
  return {
    contract: contractOf({ contract, keys }),
    keys: keys.map(({ name, secret }) => ({ name, secret, mark: keyMark(secret) })),
  }
}

export const agent = async (flags: Args): Promise<void> => {
  const name = checkedName(flags)
  const target = parseTarget(flags.target)
  const runsOn = flags['runs-on'] === undefined ? target : parseTarget(flags['runs-on'], '--runs-on')
  const address = redisAddress(flags.redis, process.env)
  const tls = tlsOf(flags)
  const contract = await givenContract(flags)
  const fromFile = readKeyFile(flags['key-file'])
  const clock = systemClock
  const say = (text: string) => void process.stderr.write(`${name}: ${text}\n`)
  // Reports unusable keys at once, not only when a run asks for them.
  ownMeans(contract, fromFile, process.env)
  const wire = await openRedisWire(address, clock)
  const running = await startAgent({
    name,
    instance: randomBytes(8).toString('hex'),
    wire,
    clock,
    journal: openSlotJournal(flags.journal ?? join(tmpdir(), 'quotaspec-agents', name)),
    target,
    runsOn,
    // Load needs no permission if both the name and its looked-up address stay on this machine.
    mayLoad: async () => flags['allow-load'] || (isLoopback(target) && isHere(await pinAddress(target))),
    contract,
    meansFor: (each) => ownMeans(each, fromFile, process.env),
    loadsFor: agentLoads({ target, clock, tls }),
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
