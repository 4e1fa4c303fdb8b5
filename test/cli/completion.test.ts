import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshFolder, quotaspec } from './built-program.js'

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))

/** What bash completes to, given the words that were typed, with the script that the program printed. */
const completed = async (script: string, folder: string, words: readonly string[]): Promise<string[]> => {
  const typed = words.map((word) => `'${word}'`).join(' ')
  const asking = `${script}\nCOMP_WORDS=(${typed})\nCOMP_CWORD=${words.length - 1}\n_quotaspec_yargs_completions\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', asking], {
    env: { PATH: `${folder}:${process.env.PATH}` },
  })
  return stdout.split('\n').filter((line) => line !== '')
}

it('bash completes commands, scenarios, flags, clauses and faults by the script that completion prints', async () => {
  const folder = freshFolder()
  const command = join(folder, 'quotaspec')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(command, 0o755)
  const { code, stdout: script } = await quotaspec(['completion'])
  expect(code).toBe(0)
  expect(await completed(script, folder, ['quotaspec', 'fau'])).toEqual(['faults'])
  expect(await completed(script, folder, ['quotaspec', 'run', 'rel'])).toEqual(['release-gate'])
  expect(await completed(script, folder, ['quotaspec', 'run', 'smoke', '--without-re'])).toEqual([
    '--without-rejected-keys',
  ])
  expect(await completed(script, folder, ['quotaspec', 'plan', '--only', 'THROTTLE-4'])).toEqual(['THROTTLE-4'])
  expect(await completed(script, folder, ['quotaspec', 'serve', '--fault', 'limit-plus'])).toEqual(['limit-plus-one'])
})
