import { afterAll } from 'vitest'
import { endTurns, removeFolders } from './cli/built-program.js'

// Files share a worker, and each leaves nothing behind.
afterAll(endTurns)
afterAll(removeFolders)
