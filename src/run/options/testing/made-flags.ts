import type { RunFlags } from '../run-flags.js'

/** The flags of a run with the key `free`, all others as usual; `part` says what differs. */
export const madeFlags = (part: Partial<RunFlags> = {}): RunFlags => ({
  target: 'http://127.0.0.1:8080/v1/',
  key: ['free=s3cr3t-key'],
  quota: [],
  'time-scale': 1,
  out: 'reports/latest',
  only: [],
  skip: [],
  strict: false,
  'read-only': false,
  'allow-load': false,
  ...part,
})
