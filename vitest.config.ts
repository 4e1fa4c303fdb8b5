import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first: it mostly waits for windows, and all else runs beside it. */
const longest = [
  'scenarios',
  'no-harm',
  'agents',
  'tarball',
  'matchers',
  'mcp/limiters',
  'client-command',
  'live-view',
  'hostile-targets',
  'restart',
  'four-nodes',
  'library/packed',
  'report-browser',
  'test/keystone.test',
  'by-contract',
  'examples-played',
  'saved-run',
  'docs/commands',
  'nothing-is-lost',
  'no-leak',
]

const endToEnd = 'end to end'

/**
 * The end-to-end test that waits longest goes beside the units, which keep two processors busy meanwhile; the others
 * follow. Units stay in one row: a worker is kept only as long as the next file is of its kind.
 */
class WaitingBesideUnits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name))
      return at === -1 ? longest.length : at
    }
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ project }) => project.name === endToEnd).sort((a, b) => rank(a) - rank(b))
    const units = sorted.filter(({ project }) => project.name !== endToEnd)
    return [...waiting.slice(0, 1), ...units, ...waiting.slice(1)]
  }
}

const shared = {
  // No test has to be quick: a machine may be as busy as it likes.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Both kinds at once, on any number of processors: those that wait need none.
  maxWorkers: 4,
  // Nothing in the product keeps state in a module, so that files can share what they import.
  isolate: false,
  sequence: { groupOrder: 0 },
}

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingBesideUnits },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'units',
          include: [
            'src/**/*.test.ts',
            'reference-server/**/*.test.ts',
            'workshop/**/*.test.ts',
            'observatory/*.test.ts',
            'test/corpus/*.test.ts',
          ],
          setupFiles: ['./test/behind-others.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: endToEnd,
          include: ['test/**/*.test.ts'],
          exclude: ['test/corpus/**'],
          setupFiles: ['./test/folders-gone.ts'],
          // Each starts programs, and of too many at once none is up in time.
          maxConcurrency: 4,
        },
      },
    ],
  },
})
