import { afterAll } from 'vitest'
import { removeFolders } from './cli/built-program.js'

// Files share a worker, and each leaves nothing behind.
afterAll(removeFolders)
