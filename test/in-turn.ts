import { setPriority } from 'node:os'
import { expect } from 'vitest'
import { live } from './live.js'

// What computes can wait, and units longest; a stall would spoil what is played live. A worker that has given way once may
// not be allowed to come back: then what is live waits with the others.
const { testPath = '' } = expect.getState()
const isLive = live.some((name) => testPath.endsWith(name))
const isPlayed = testPath.includes('/test/') && !testPath.includes('/test/corpus/')
try {
  setPriority(isLive ? 0 : isPlayed ? 10 : 19)
} catch {}
