import { configOptions, refuseEarly, runOptions, safetyOptions } from '../run/run-options.js'
import type { Declared } from './surface.js'

const { yes: _yes, 'time-limit': _timeLimit, ...safety } = safetyOptions
const { target, key, contract, quota, 'time-scale': timeScale } = runOptions

export const doctorSurface = {
  command: 'doctor',
  describe: 'Look at address, TLS, keys and clock of a target, and at this machine, with a few requests',
  options: { target, key, contract, quota, 'time-scale': timeScale, ...safety, ...configOptions },
  refuse: refuseEarly,
  examples: [
    ['quotaspec doctor --target https://staging.example/v1', 'with the keys in the environment'],
    ['quotaspec doctor --target https://staging.example/v1 --ca our-ca.pem', 'with an authority of your own'],
  ],
} as const satisfies Declared
