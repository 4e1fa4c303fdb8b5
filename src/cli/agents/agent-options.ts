import { existsSync } from 'node:fs'
import type { InferredOptionTypes } from 'yargs'
import { UsageError } from '../../kit/usage-error.js'
import type { Flag } from '../flags/command.js'
import { safetyOptions } from '../run/run-options.js'

/** The flags of `agent`. */
export const agentOptions = {
  redis: {
    type: 'string',
    value: 'URL',
    describe: 'The Redis of the run; better QUOTASPEC_REDIS=… in the environment',
  },
  name: { type: 'string', value: 'NAME', describe: 'What a run asks for: eu-1 is one of --agents eu=2' },
  target: {
    type: 'string',
    value: 'URL',
    describe: 'The address that it sends to, and to no other, whatever a run says',
  },
  'runs-on': {
    type: 'string',
    value: 'URL',
    describe: 'The target of the runs that it takes part in, where it reaches the same service by another address',
  },
  contract: { type: 'string', value: 'FILE', describe: 'Only take part in runs with this contract file' },
  'allow-load': { type: 'boolean', default: false, describe: 'Let load go to an address that is not this machine' },
  'most-requests': { type: 'number', sample: '100000', describe: 'So many requests in all, and no more' },
  'most-per-second': { type: 'number', sample: '500', describe: 'So many requests in a second, and no more' },
  once: { type: 'boolean', default: false, describe: 'End with the first run that it took part in' },
  journal: {
    type: 'string',
    value: 'DIR',
    describe: 'The folder in which it marks what it sends (one of its own below the system’s)',
  },
  'key-file': safetyOptions['key-file'],
  ca: safetyOptions.ca,
  insecure: safetyOptions.insecure,
} as const satisfies Readonly<Record<string, Flag>>

export type AgentFlags = InferredOptionTypes<typeof agentOptions>

const checkCount = (flags: AgentFlags, name: 'most-requests' | 'most-per-second'): void => {
  const given = flags[name]
  if (given === undefined || (Number.isSafeInteger(given) && given >= 1)) return
  throw new UsageError(`--${name} ${given}: a whole number of requests, 1 at least`)
}

/** The name that was given. Throws a {@link UsageError} where flags are missing, or say what can't be. */
export const checkedName = (flags: AgentFlags): string => {
  checkCount(flags, 'most-requests')
  checkCount(flags, 'most-per-second')
  const { name, journal } = flags
  if (name === undefined || name === '')
    throw new UsageError('--name is missing: a run asks for agents by their names; --name eu-1 is one of eu')
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`--name ${name}: up to 64 letters, digits, dots, hyphens and underscores`)
  if (journal !== undefined && !existsSync(journal))
    throw new UsageError(`--journal ${journal}: there is no such folder`)
  return name
}
