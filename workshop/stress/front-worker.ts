import { playTrial } from '../../src/cli/keystone/play-trial.js'
import { playTrialsOfPool } from '../../src/cli/keystone/trial-pool.js'
import type { StressTrial } from './conditions.js'
import { openFront } from './relay.js'

playTrialsOfPool(({ front, ...trial }: StressTrial) =>
  playTrial(trial, async (server) => (front ? openFront(server, front, trial.seed) : server)),
)
