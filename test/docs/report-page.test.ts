import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from './shown-commands.js'

it('the pages of the reference are what the built program says', () => {
  const { status, stderr } = spawnSync(process.execPath, ['workshop/docs/write-references.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
