import { statSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import { present } from '../../kit/words.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import type { RunOptions } from '../../run/options/run-options.js'
import { isLoopback } from '../../run/options/target.js'
import type { Terminal } from '../output/dialogue.js'

const loadOf = ({ scheduled, plan }: PreparedRun): { requests: number; connections: number } => {
  const loads = scheduled.filter(({ probe }) => probe.isLoad)
  const ids = new Set(loads.map(({ probe }) => probe.id))
  return {
    requests: plan.requests.reduce((sum, { probe, requests }) => (ids.has(probe) ? sum + requests : sum), 0),
    connections: Math.max(20, ...loads.map(({ settings }) => Number(settings.connections ?? 0))),
  }
}

/** A sentence that announces the loads; undefined if there are none. */
const loadInWords = (prepared: PreparedRun): string | undefined => {
  const { requests, connections } = loadOf(prepared)
  if (requests === 0) return undefined
  const most = prepared.scenario.limits?.mostRequestsPerSecond
  const pace =
    most === undefined
      ? `as fast as it answers over up to ${connections} connections (limits.mostRequestsPerSecond in the scenario can lower that)`
      : `at most ${most} a second`
  return `load on ${prepared.head.baseUrl}: up to ${requests} requests in all, ${pace}`
}

/** Announces load to an address other than this machine's; throws a {@link UsageError} unless it is confirmed. */
export const confirmLoad = async (prepared: PreparedRun, isConfirmed: boolean, terminal: Terminal): Promise<void> => {
  const load = loadInWords(prepared)
  if (!prepared.options.allowLoad || isLoopback(prepared.head.baseUrl) || load === undefined) return
  terminal.say(load)
  if (isConfirmed) return
  if (!terminal.isTTY) throw new UsageError('not a terminal, so nobody can confirm the load: pass --yes')
  // Leaving the question does not confirm it.
  const answer = await terminal.ask('send this load? (yes/no) ').catch(() => 'no')
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('the load was not confirmed; nothing was sent')
}

/** Warnings about who else can see the given keys. */
export const keyWarnings = ({ keys, keyFile }: Pick<RunOptions, 'keys' | 'keyFile'>): string[] => {
  const isOpen = keyFile !== undefined && process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0
  return present(
    keys.length > 0 &&
      'other users of this machine can see keys on the command line, but not those in variables such as QUOTASPEC_KEY_FREE',
    isOpen && `${keyFile} can be read by other users of this machine: chmod 600 ${keyFile}`,
  )
}
