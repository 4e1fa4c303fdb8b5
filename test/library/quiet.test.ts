import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshFolder } from '../cli/built-program.js'

const script = fileURLToPath(new URL('quiet.mjs', import.meta.url))

it('a run of the library prints nothing, reads no variable, and leaves the process as it was', async () => {
  const file = join(freshFolder(), 'told.json')
  // A key of the environment is the command's to read.
  const env = { ...process.env, QUOTASPEC_KEY_FREE: 'a-free-key' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, file, freshFolder()], { env })
  expect(stdout + stderr).toBe('')
  const { before, meanwhile, ...told } = JSON.parse(readFileSync(file, 'utf8'))
  expect(told).toEqual({ withoutKeys: 'UsageError', outcome: 'fail', after: before })
  expect(meanwhile.map((each: string) => JSON.parse(each))).toEqual([before])
})
