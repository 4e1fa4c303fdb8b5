import type { InferredOptionTypes } from 'yargs'
import { storeFailures } from '../../../reference-server/stores/shared-store.js'
import type { Flag } from '../flags/command.js'

/** The flags of a store that several servers share. */
export const storeOptions = {
  store: {
    type: 'string',
    value: 'REDIS-URL',
    sample: 'redis://127.0.0.1:6379',
    describe: 'Count on Redis, with all servers that do: redis://[USER:PASSWORD@]HOST:PORT[/DB], or QUOTASPEC_STORE',
  },
  'store-prefix': { type: 'string', describe: 'With --store: before the name of each key. Default: quotaspec:' },
  'store-failure': {
    choices: storeFailures,
    describe: 'With --store: while Redis does not answer, 503 (closed, the default) or served uncounted (open)',
  },
  'store-timeout': {
    type: 'number',
    sample: '2',
    describe: 'With --store: seconds that a decision may take (0.5)',
  },
} as const satisfies Readonly<Record<string, Flag>>

export type StoreArgs = Partial<InferredOptionTypes<typeof storeOptions>>
