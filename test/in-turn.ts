import { setPriority } from 'node:os'
import { expect } from 'vitest'
import { live } from './live.js'

// What computes can wait, and units longest; a stall would spoil what is played live, an audit's most: it times a client that
// is a process of its own. A worker that has given way may not be allowed to come back, but as root: then all played wait alike.
const { testPath = '' } = expect.getState()
const priority = () => {
  if (testPath.includes('/test/clients/')) return 0
  if (live.some((name) => testPath.endsWith(name))) return 5
  return testPath.includes('/test/') && !testPath.includes('/test/corpus/') ? 10 : 19
}
try {
  setPriority(priority())
} catch {}
