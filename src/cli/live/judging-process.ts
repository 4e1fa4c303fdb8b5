import { spawn } from 'node:child_process'
import type { JudgedParts } from '../../report/live/live-view.js'
import { builtFile } from '../process/package-root.js'

/** What a process of Node needs; none of the keys. */
const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'] as const

const environment = (): Record<string, string> =>
  Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

/** A judgement that takes longer is given up in any case. */
const patienceMs = 60_000

const partsIn = (written: string): JudgedParts | undefined => {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

/**
 * Judges what a run's folder holds by now, in a process of its own that yields to every other, so that the run's goes on
 * undisturbed. Undefined where nothing came of it in time, or the signal gave it up.
 */
export const judgeApart = (folder: string, withinMs: number, signal: AbortSignal): Promise<JudgedParts | undefined> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [builtFile('src', 'cli', 'live', 'judge-so-far.js'), folder], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
      timeout: Math.min(withinMs, patienceMs),
    })
    let written = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code === 0 ? partsIn(written) : undefined))
  })
