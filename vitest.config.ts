import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What plays a server or a client to a verdict, in windows of seconds. A machine that is busy leaves such a verdict open, so
 * these come last, when nothing runs beside them; the longest first.
 */
const live = [
  'agents/agents',
  'clients/client-command',
  'observatory/cells',
  'cli/scenarios',
  'library/packed',
  'library/runs',
  'keystone',
  'mcp/limiters',
  'library/matchers',
  'library/quiet',
  'events/restart',
  'cli/saved-run',
  'foreign/by-contract',
  'four-nodes/four-nodes',
  'cli/first-look',
].map((name) => `test/${name}.test.ts`)

/** Of the others those that take longest, the longest first. */
const longest = [
  'live-view',
  'no-harm',
  'hostile/resume',
  'hostile-targets',
  'tarball',
  'nothing-is-lost',
  'corpus/judged',
  'report-browser',
  'docs/commands',
  'no-leak',
  'mcp/protocol',
  'keystone-under-stress',
  'serve-contract',
  'pipeline/life',
  'model-walk',
]

const endToEnd = 'end to end'
/** Workers, and those of them that begin with end-to-end tests: the others begin with the units. */
const [workers, workersThatWait] = [5, 3]

/**
 * The end-to-end tests that take longest go beside the units, which keep two processors busy while those wait; the others
 * follow. Units stay in one row: a worker is kept only as long as the next file is of its kind.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = [...live, ...longest].findIndex((name) => moduleId.includes(name))
      return at === -1 ? live.length + longest.length : at
    }
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    const of = (name: string) => sorted.filter(({ project }) => project.name === name)
    const others = of(endToEnd)
    return [...others.slice(0, workersThatWait), ...of('units'), ...others.slice(workersThatWait), ...of('live')]
  }
}

const shared = {
  // No test has to be quick: a machine may be as busy as it likes.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  // Nothing in the product keeps state in a module, so that files can share what they import.
  isolate: false,
}

const played = {
  ...shared,
  setupFiles: ['./test/folders-gone.ts'],
  // Each starts programs, and of too many at once none is up in time.
  maxConcurrency: 4,
}
// Both kinds at once, on any number of processors: those that wait need none.
const first = { maxWorkers: workers, sequence: { groupOrder: 0 } }
const last = { maxWorkers: 3, sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          ...first,
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
          ...played,
          ...first,
          name: endToEnd,
          include: ['test/**/*.test.ts'],
          exclude: ['test/corpus/**', ...live],
        },
      },
      {
        extends: true,
        test: { ...played, ...last, name: 'live', include: live },
      },
    ],
  },
})
