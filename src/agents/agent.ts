import { isDeepStrictEqual } from 'node:util'
import type { ApiContract } from '../contract/api-contract.js'
import { petstore } from '../contract/petstore/petstore.js'
import { secondMs } from '../contract/plans.js'
import { latch } from '../kit/deadline.js'
import { whyOf } from '../kit/usage-error.js'
import type { AgentSetup, RunMeans } from './agent-setup.js'
import { joinRun } from './membership.js'
import {
  channelOfAgent,
  channelOfRun,
  everyone,
  framed,
  protocolVersion,
  type ToAgent,
  type ToCoordinator,
  toAgent,
  unframed,
} from './messages.js'

/** Watches that no second has more than `most` requests: with 10, the tenth request before is at least a second ago. */
export const createRateGuard = (most: number) => {
  const size = Math.max(1, Math.floor(most))
  const moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  let count = 0
  return (nowMs: number): boolean => {
    moments[count % size] = nowMs
    count += 1
    // The next place holds the earliest of the last `most` requests.
    return nowMs - moments[count % size] < secondMs
  }
}

/** An agent offers only this share of its allowed rate, so that a load that catches up a little stays below it. */
const offeredShare = 0.9

/** Safe methods (RFC 9110 §9.2.1): the only ones that a contract received with a run may use. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A contract without the names of variables, which differ between machines. */
const inGeneral = ({ credentials, ...contract }: ApiContract): unknown => {
  const named = Object.entries(credentials).map(([name, { env, ...spec }]) => [name, spec])
  return JSON.parse(JSON.stringify({ ...contract, credentials: Object.fromEntries(named) }))
}

/** Throws if a run's contract differs from the agent's own or, without one, does more than read. */
const refuseContract = (own: ApiContract | undefined, asked: ApiContract | undefined): void => {
  if (own && !isDeepStrictEqual(inGeneral(own), inGeneral(asked ?? petstore)))
    throw new Error('it was started with another contract file')
  // The bundled contract's loads only read.
  const unsafe = Object.entries(asked?.requests ?? {}).find(([, { method }]) => !safeMethods.has(method))
  if (!own && unsafe)
    throw new Error(
      `the request ${unsafe[0]} is a ${unsafe[1].method}: the agent sends that only with a --contract of its own`,
    )
}

/** Starts an agent, which takes part in one run at a time. `ended`: it was told to end, or its only run is over. */
export const startAgent = async (setup: AgentSetup) => {
  const { wire, name, instance, target, runsOn, mostPerSecond, contract: own, meansFor, say, once } = setup
  const guard = mostPerSecond === undefined ? undefined : createRateGuard(mostPerSecond)
  const promised = { count: 0 }
  const { opened: ended, open: resolveEnded } = latch()
  let membership: ReturnType<typeof joinRun> | undefined
  let joining: string | undefined
  let isEnded = false

  const tell = (run: string, message: ToCoordinator) => wire.say(channelOfRun(run), framed(message))

  const introduce = (run: string): void => {
    const engaged = membership?.run ?? joining
    const offered = mostPerSecond === undefined ? null : offeredShare * mostPerSecond
    const isBusy = engaged !== undefined && engaged !== run
    const card = { from: instance, name, version: protocolVersion, target, runsOn, mostPerSecond: offered, isBusy }
    tell(run, { type: 'card', ...card })
  }

  /** The agent's contract and keys for a run. Throws if the run needs something the agent was not started for. */
  const meansOf = ({ target: ofRun, marks, contract: asked }: Extract<ToAgent, { type: 'join' }>): RunMeans => {
    if (ofRun !== runsOn) throw new Error(`it is for ${ofRun}, and the agent was started for ${runsOn}`)
    refuseContract(own, asked)
    const { contract, keys } = meansFor(own ?? asked)
    for (const [name, mark] of Object.entries(marks)) {
      const key = keys.find((each) => each.name === name)
      if (!key) throw new Error(`it has no ${name} key`)
      if (key.mark !== mark) throw new Error(`its ${name} key differs from the run's`)
    }
    return { contract, keys: keys.filter(({ name }) => Object.hasOwn(marks, name)) }
  }

  const join = async (given: Extract<ToAgent, { type: 'join' }>): Promise<void> => {
    if (joining !== undefined || membership) return
    const { run } = given
    joining = run
    try {
      const means = meansOf(given)
      const loads = await setup.loadsFor(means, given.timeScale)
      membership = joinRun({ ...setup, run, means, promised, guard, loads, mayLoadNow: await setup.mayLoad() })
    } catch (error) {
      const why = whyOf(error)
      say(`a run was declined: ${why}`)
      tell(run, { type: 'declined', from: instance, why })
      return
    } finally {
      joining = undefined
    }
    say(`takes part in a run against ${given.target}`)
    const why = await membership.over.catch(String)
    membership = undefined
    say(`left the run: ${why}`)
    if (isEnded || once) resolveEnded()
  }

  const hear = (bytes: Buffer): void => {
    const parsed = toAgent.safeParse(unframed(bytes)?.message)
    if (!parsed.success || isEnded) return
    const { data } = parsed
    if (data.type === 'who') introduce(data.run)
    else if (data.run === membership?.run) membership.told(data)
    else if (data.type === 'join') void join(data)
  }

  await wire.hear(everyone, hear)
  await wire.hear(channelOfAgent(instance), hear)
  return {
    ended,
    end(why: string): void {
      if (isEnded) return
      isEnded = true
      if (membership) membership.leave(why)
      else resolveEnded()
    },
  }
}
