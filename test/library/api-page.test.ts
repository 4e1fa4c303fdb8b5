import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

it('the page on the library is what the types of the built program say', () => {
  const { status, stderr } = spawnSync(process.execPath, ['workshop/docs/write-api.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('the test that the page shows is the one that is played', () => {
  expect(textOf('docs/reference/api.md')).toContain(textOf('test/library/gated-app/gate.ts'))
})
