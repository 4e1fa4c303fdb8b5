import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import type { Report } from '../../src/report/model.js'
import { freshFolder, launch, quotaspec, whileServingHere } from './built-program.js'

const secret = 'lost-output-Hw62Jx73Ky84'
const env = { QUOTASPEC_KEY_FREE: secret }
const serve = ['--time-scale', '100', '--key', `free=${secret}`]

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

/** Runs the built program with some of its outputs closed before it has written a word. */
const unread = (args: readonly string[], outputs: readonly ('stdout' | 'stderr')[]) => {
  const { child, ended } = launch(args, { env })
  for (const each of outputs) child[each]?.destroy()
  return ended
}

describe('output that nobody reads', { concurrent: true }, () => {
  it('ends a list of faults and a plan quietly', async ({ expect }) => {
    const plan = ['plan', 'release-gate', '--target', 'http://127.0.0.1:1/v1']
    for (const args of [['faults'], ['schema'], plan]) {
      const { code, stderr } = await unread(args, ['stdout'])
      expect(stderr, args[0]).toBe('')
      expect(code, args[0]).toBe(0)
    }
  })

  it('lets a run finish: the stock put back, the reports written, its own exit code', async ({ expect }) => {
    await whileServingHere([...serve, '--fault', 'headers-missing-on-401'], async (target) => {
      const out = freshFolder()
      const run = ['run', 'smoke', '--target', target, '--time-scale', '100', '--out', out]
      const { code } = await unread(run, ['stdout', 'stderr'])
      expect(code).toBe(1)
      expect(reportIn(out)).toMatchObject({ outcome: 'fail', restored: true, run: { exitCode: 1, interrupted: false } })
      const { code: printed, stderr } = await unread(['report', out, '--as', 'html'], ['stdout'])
      expect(stderr).toBe('')
      expect(printed).toBe(0)
    })
  })

  it.skipIf(!existsSync('/dev/full'))(
    'is a fault of the harness where the disk is full, in a sentence',
    async ({ expect }) => {
      const { code, stderr } = await quotaspec(['faults'], { stdout: openSync('/dev/full', 'w') })
      expect(stderr).toBe("quotaspec: standard output can't be written: ENOSPC: no space left on device, write\n")
      expect(code).toBe(4)
    },
  )
})
