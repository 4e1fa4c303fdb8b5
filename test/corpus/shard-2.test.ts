import { holdShard } from './held.js'

holdShard(2)
