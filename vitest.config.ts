import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What waits longest begins first, beside the units; behind them what also computes, the longest first. */
const waiting = [
  'agents',
  'observatory/cells',
  'mcp/limiters',
  'test/keystone.test',
  'scenarios',
  'four-nodes',
  'matchers',
  'restart',
]
const computing = [
  'corpus/judged',
  'hostile-targets',
  'no-harm',
  'tarball',
  'live-view',
  'library/packed',
  'client-command',
  'saved-run',
  'docs/commands',
  'by-contract',
  'report-browser',
  'nothing-is-lost',
  'no-leak',
  'hostile/resume',
  'mcp/protocol',
  'keystone-under-stress',
  'serve-contract',
  'pipeline/life',
  'model-walk',
  'first-look',
]
const longest = [...waiting, ...computing]

const endToEnd = 'end to end'
/** Workers, and those of them that begin with what waits: the others begin with the units. */
const [workers, workersThatWait] = [5, 3]

/**
 * The end-to-end tests that wait longest go beside the units, which keep two processors busy meanwhile; the others
 * follow. Units stay in one row: a worker is kept only as long as the next file is of its kind.
 */
class WaitingBesideUnits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name))
      return at === -1 ? longest.length : at
    }
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    const units = sorted.filter(({ project }) => project.name !== endToEnd)
    const others = sorted.filter(({ project }) => project.name === endToEnd)
    return [...others.slice(0, workersThatWait), ...units, ...others.slice(workersThatWait)]
  }
}

const shared = {
  // No test has to be quick: a machine may be as busy as it likes.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  // Both kinds at once, on any number of processors: those that wait need none.
  maxWorkers: workers,
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
