import { playTrial } from './play-trial.js'
import { playTrialsOfPool } from './trial-pool.js'

playTrialsOfPool((trial) => playTrial(trial))
