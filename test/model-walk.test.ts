import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { playTrial } from '../src/cli/keystone/play-trial.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-walks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** So many requests that every kind of body is drawn, whatever the seed. */
const scenario = join(folder, 'walks.yaml')
writeFileSync(
  scenario,
  'name: walks\ndescription: Only walks.\nprobes:\n  - probe: hello\n  - probe: model-walk\n    requests: 250\n',
)

const playing = async (server: Parameters<typeof playTrial>[0]['server'], seed: number) => {
  const { report, failing } = await playTrial({ server, scenario, timeScale: 60, seed })
  const walks = report.checks.filter(({ id }) => id.startsWith('inventory.model-'))
  return { report, walks, failing, failed: walks.filter(({ verdict }) => verdict === 'fail') }
}

describe('random walks over the inventory', () => {
  // What fewer requests find too, the recorded runs show: test/corpus.
  it.each<[fault: string, clause: string, check: string, smallest?: RegExp]>([
    [
      'patch-not-stored',
      'INV-2',
      'inventory.model-agrees',
      /: PATCH \/inventory\/\d+ \{"quantity":1\} \(200\), GET \/inventory \(200\)$/,
    ],
    [
      'string-quantity-accepted',
      'INV-5',
      'inventory.model-invalid-refused',
      /: PATCH \/inventory\/\d+ \{"quantity":"0"\} \(200\)$/,
    ],
    ['fraction-cut-off', 'INV-5', 'inventory.model-invalid-refused'],
    ['broken-json-answers-422', 'INV-5', 'inventory.model-invalid-refused'],
  ])(
    'find %s, call it %s alone, and show the smallest counterexample',
    async (fault, clause, check, smallest = /./) => {
      const { failing, failed } = await playing({ faults: [fault] }, 5)
      expect(failing).toEqual([clause])
      expect(failed.map(({ id }) => id)).toEqual([check])
      expect(failed[0].message).toMatch(smallest)
    },
  )

  it.each([[[]], [['quantity-bounded', 'integers-with-a-point', 'odd-pet-id-404']], [['one-pet']]])(
    'accuse no server that keeps the interface (%j)',
    async (variations) => {
      const { report, walks, failing } = await playing({ variations }, 3)
      expect(failing).toEqual([])
      expect(walks.map(({ verdict }) => verdict)).toEqual(walks.map(() => 'pass'))
      expect(report.restored).toBe(true)
    },
  )
})
