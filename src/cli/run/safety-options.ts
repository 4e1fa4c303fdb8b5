import type { SafetyFlags } from '../../run/options/safety.js'
import { defaultExchangeLimits } from '../../wire/http/exchange-limits.js'
import type { Flag } from '../surface/surface.js'

const seconds = (ms: number): number => ms / 1000

/** Flags of `run` and `plan` that keep a run from harm: its own, its target's and its keys'. */
export const safetyOptions = {
  'connect-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds that connecting may take, TLS included (${seconds(defaultExchangeLimits.connectMs)})`,
  },
  'head-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds that the head of an answer may take (${seconds(defaultExchangeLimits.headMs)})`,
  },
  'body-timeout': {
    type: 'number',
    value: 'SECONDS',
    sample: '10',
    describe: `Seconds that its body may take (${seconds(defaultExchangeLimits.bodyMs)})`,
  },
  'time-limit': {
    type: 'number',
    value: 'SECONDS',
    sample: '600',
    describe: 'Seconds that the run may take (twice its planned time and a minute)',
  },
  'key-file': { type: 'string', value: 'FILE', describe: 'A file with a line PLAN=SECRET for each key' },
  ca: { type: 'string', value: 'FILE', describe: "A PEM file of certificates to trust besides the system's" },
  insecure: { type: 'boolean', describe: 'Check no certificate: the keys go to whoever answers' },
  yes: { type: 'boolean', describe: 'Put load on the target without asking' },
} as const satisfies Readonly<Record<keyof SafetyFlags, Flag>>
