import { spawn } from 'node:child_process'
import type { CommandRunner } from '../../run/playing/events.js'

/**
 * Runs a command of an event, with what it says of errors on the user's own terminal. One that is called off is ended with
 * all that it started; what it leaves behind when it ends by itself, such as a server, goes on.
 */
export const runCommand: CommandRunner = ([file = '', ...args], signal) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: process.platform !== 'win32' })
    const end = () => {
      if (child.pid === undefined) return
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
    const done = (result: number | string) => {
      signal.removeEventListener('abort', end)
      resolve(result)
    }
    signal.addEventListener('abort', end)
    // What it started may hold its output open: its own end is what is waited for.
    child.once('exit', (code, by) => done(code ?? by ?? 'no exit code'))
    child.once('error', (error) => done(error.message))
    if (signal.aborted) end()
  })
