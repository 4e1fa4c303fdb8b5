import { spawn } from 'node:child_process'
import type { JudgedParts } from '../../report/live/live-view.js'
import { builtFile } from '../../run/machine/package-root.js'
import type { Judgement } from './judgement.js'

/** What a process of Node needs; none of the keys. */
const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.includes(name)))

const partsIn = (written: string): JudgedParts | undefined => {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

/**
 * Judges what a run's folder holds by now, in a process of its own that yields to every other, so that the run's goes on
 * undisturbed. On Windows, where no process can be made to stand still, a pause gives it up.
 */
export const judgeApart = (folder: string): Judgement<JudgedParts> => {
  const child = spawn(process.execPath, [builtFile('src', 'cli', 'live', 'judge-so-far.js'), folder], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  const giveUp = () => void child.kill('SIGKILL')
  // Where this process ends at once, that one ends too.
  process.once('exit', giveUp)
  const result = new Promise<JudgedParts | undefined>((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code === 0 ? partsIn(written) : undefined))
  }).finally(() => process.off('exit', giveUp))
  return {
    result,
    pause: () => {
      if (process.platform === 'win32') giveUp()
      else child.kill('SIGSTOP')
    },
    goOn: () => void child.kill('SIGCONT'),
    giveUp,
  }
}
