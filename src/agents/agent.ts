import { isDeepStrictEqual } from 'node:util'
import type { ApiContract } from '../contract/api-contract.js'
import { petstore } from '../contract/petstore/petstore.js'
import { secondMs } from '../contract/plans.js'
import { whyOf } from '../kit/usage-error.js'
import type { AgentSetup, RunMeans } from './agent-setup.js'
import { Membership } from './membership.js'
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

/** Watches that no second has more than so many requests: with 10, that the tenth before is a second ago. */
export const createRateGuard = (most: number) => {
  const size = Math.max(1, Math.floor(most))
  const moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  let count = 0
  return (nowMs: number): boolean => {
    moments[count % size] = nowMs
    count += 1
    // The place that comes next holds the earliest of the last `most`.
    return nowMs - moments[count % size] < secondMs
  }
}

/** So much less than allowed is offered, so that a load that catches up a little stays below. */
const offeredShare = 0.9

/** Methods that change nothing by themselves (RFC 9110 §9.2.1): all that a contract may ask for that came with a run. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A contract without the names of variables, which are each machine's own. */
const inGeneral = ({ credentials, ...contract }: ApiContract): unknown => {
  const named = Object.entries(credentials).map(([name, { env, ...spec }]) => [name, spec])
  return JSON.parse(JSON.stringify({ ...contract, credentials: Object.fromEntries(named) }))
}

/** Throws where a run is under another contract than the agent's own. */
const requireSame = (own: ApiContract, asked: ApiContract = petstore): void => {
  if (!isDeepStrictEqual(inGeneral(own), inGeneral(asked))) throw new Error('it was started with another contract file')
}

/** Throws where a contract that came with a run asks for more than to be read to. The bundled one's loads do not. */
const requireSafe = ({ requests }: Pick<ApiContract, 'requests'> = { requests: {} }): void => {
  const unsafe = Object.entries(requests).find(([, { method }]) => !safeMethods.has(method))
  if (unsafe)
    throw new Error(
      `the request ${unsafe[0]} is a ${unsafe[1].method}: the agent sends that only with a --contract of its own`,
    )
}

/** Starts an agent: from now on it answers those who ask who is there. */
export const startAgent = async (setup: AgentSetup): Promise<Agent> => {
  const agent = new Agent(setup)
  await agent.listen()
  return agent
}

/** An agent that waits for runs, and takes part in one at a time. */
class Agent {
  /** Resolves when it has ended: told to, or after its only run. */
  readonly ended: Promise<void>
  readonly #promised = { count: 0 }
  readonly #guard
  #membership: Membership | undefined
  #joining: string | undefined
  #isEnded = false
  #resolveEnded = () => {}

  constructor(readonly setup: AgentSetup) {
    const { mostPerSecond } = setup
    this.#guard = mostPerSecond === undefined ? undefined : createRateGuard(mostPerSecond)
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  async listen(): Promise<void> {
    const { wire, instance } = this.setup
    const hear = (bytes: Buffer) => this.#hear(bytes)
    await wire.hear(everyone, hear)
    await wire.hear(channelOfAgent(instance), hear)
  }

  end(why: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#membership) this.#membership.leave(why)
    else this.#resolveEnded()
  }

  #hear(bytes: Buffer): void {
    const parsed = toAgent.safeParse(unframed(bytes)?.message)
    if (!parsed.success || this.#isEnded) return
    const { data } = parsed
    if (data.type === 'who') this.#introduce(data)
    else if (data.run === this.#membership?.run) this.#membership.told(data)
    else if (data.type === 'join') void this.#join(data)
  }

  #introduce({ run }: Extract<ToAgent, { type: 'who' }>): void {
    const { name, instance, target, runsOn, mostPerSecond } = this.setup
    const engaged = this.#membership?.run ?? this.#joining
    this.#say(run, {
      type: 'card',
      from: instance,
      name,
      version: protocolVersion,
      target,
      runsOn,
      mostPerSecond: mostPerSecond === undefined ? null : offeredShare * mostPerSecond,
      isBusy: engaged !== undefined && engaged !== run,
    })
  }

  async #join(given: Extract<ToAgent, { type: 'join' }>): Promise<void> {
    if (this.#joining !== undefined || this.#membership) return
    const { instance, say, once, loadsFor, mayLoad } = this.setup
    const { run } = given
    this.#joining = run
    try {
      const means = this.#meansFor(given)
      const setup = { ...this.setup, run, means, promised: this.#promised, guard: this.#guard }
      const loads = await loadsFor(means, given.timeScale)
      this.#membership = new Membership({ ...setup, loads, mayLoadNow: await mayLoad() })
    } catch (error) {
      const why = whyOf(error)
      say(`a run was declined: ${why}`)
      this.#say(run, { type: 'declined', from: instance, why })
      return
    } finally {
      this.#joining = undefined
    }
    say(`takes part in a run against ${given.target}`)
    const why = await this.#membership.over.catch((error) => String(error))
    this.#membership = undefined
    say(`left the run: ${why}`)
    if (this.#isEnded || once) this.#resolveEnded()
  }

  /** What the agent has for a run. Throws where it asks for what the agent was not started for. */
  #meansFor({ target, marks, contract: asked }: Extract<ToAgent, { type: 'join' }>): RunMeans {
    const { runsOn, contract: own, meansFor } = this.setup
    if (target !== runsOn) throw new Error(`it is for ${target}, and the agent was started for ${runsOn}`)
    if (own) requireSame(own, asked)
    else requireSafe(asked)
    const { contract, keys } = meansFor(own ?? asked)
    for (const [name, mark] of Object.entries(marks)) {
      const key = keys.find((each) => each.name === name)
      if (!key) throw new Error(`it has no ${name} key`)
      if (key.mark !== mark) throw new Error(`its ${name} key differs from the run's`)
    }
    return { contract, keys: keys.filter(({ name }) => Object.hasOwn(marks, name)) }
  }

  #say(run: string, message: ToCoordinator): void {
    this.setup.wire.say(channelOfRun(run), framed(message))
  }
}
