import type { GivenOptions } from '../run-options.js'
import { programSource, type SettledOptions, settleOptions } from '../settle-options.js'

/** The options of a run of smoke with the key `free`, all others as usual; `part` says what differs. */
export const madeOptions = (part: GivenOptions = {}): SettledOptions =>
  settleOptions([
    programSource({ target: 'http://127.0.0.1:8080/v1/', scenario: 'smoke', keys: { free: 's3cr3t-key' }, ...part }),
  ])
