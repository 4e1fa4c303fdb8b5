import { createInterface } from 'node:readline/promises'
import { UsageError } from '../../kit/usage-error.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { isLoopback } from '../../run/options/target.js'

/** Where the question is put. */
export interface Terminal {
  readonly isTTY: boolean
  say(text: string): void
  ask(question: string): Promise<string>
}

/** The user's own terminal. */
export const userTerminal: Terminal = {
  isTTY: process.stdin.isTTY === true && process.stderr.isTTY === true,
  say: (text) => process.stderr.write(`${text}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  },
}

/** The requests that loads put on the keys. */
const loadOf = ({ scheduled, plan }: PreparedRun): { requests: number; connections: number } => {
  const loads = scheduled.filter(({ probe }) => probe.isLoad)
  const ids = new Set(loads.map(({ probe }) => probe.id))
  return {
    requests: plan.requests.reduce((sum, { probe, requests }) => (ids.has(probe) ? sum + requests : sum), 0),
    connections: Math.max(20, ...loads.map(({ settings }) => Number(settings.connections ?? 0))),
  }
}

/** What a load is about to do, before it does it. */
const loadInWords = (prepared: PreparedRun): string | undefined => {
  const { requests, connections } = loadOf(prepared)
  if (requests === 0) return undefined
  const most = prepared.scenario.limits?.mostRequestsPerSecond
  const pace =
    most === undefined
      ? `as fast as it answers over up to ${connections} connections (limits.mostRequestsPerSecond in the scenario holds it back)`
      : `at most ${most} a second`
  return `load on ${prepared.head.baseUrl}: up to ${requests} requests in all, ${pace}`
}

/**
 * Names the load that goes to an address other than this machine's, and has it confirmed: on a terminal by an answer,
 * elsewhere by --yes. Throws a {@link UsageError} where it is not.
 */
export const confirmLoad = async (
  prepared: PreparedRun,
  flags: { readonly 'allow-load': boolean; readonly yes?: boolean },
  terminal: Terminal,
): Promise<void> => {
  const load = loadInWords(prepared)
  if (!flags['allow-load'] || isLoopback(prepared.head.baseUrl) || load === undefined) return
  terminal.say(load)
  if (flags.yes) return
  if (!terminal.isTTY) throw new UsageError('nobody is here to confirm that load: add --yes')
  const answer = await terminal.ask('send this load? (yes/no) ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('the load was not confirmed; nothing was sent')
}
