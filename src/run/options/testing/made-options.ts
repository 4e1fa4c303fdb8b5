import type { GivenOptions } from '../run-options.js'
import { programSource, type SettledOptions, settleOptions } from '../settle-options.js'

/** The options of a smoke run with the key `free` and defaults otherwise; `part` overrides them. */
export const madeOptions = (part: GivenOptions = {}): SettledOptions =>
  settleOptions([
    programSource({ target: 'http://127.0.0.1:8080/v1/', scenario: 'smoke', keys: { free: 's3cr3t-key' }, ...part }),
  ])
