import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { asBuilt } from './test/as-built.js'
import { live } from './test/live.js'

/** Of the others those that take longest, the longest first. */
const longest = [
  'live-view',
  'no-harm',
  'hostile/resume',
  'hostile-targets',
  'nothing-is-lost',
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
/** Starts a program that computes on all processors, and would hold a worker of the units meanwhile. */
const recordings = 'test/corpus/judged.test.ts'
/**
 * Node 20 has no compiler between a quick one and a thorough one, which takes a tenth of the time of units for what hardly
 * repeats. Later versions have one, and no such flag.
 */
const compilesLate = process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : []
/** Workers that play, more than there are processors, since most of it is waiting; and those of them that begin with what waits longest. */
const [workersThatPlay, workersThatWait] = [4, 3]

/** All of both, as evenly mixed as they begin: a live one, two others, and so on. */
const mixed = <T>([first, ...more]: readonly T[], others: readonly T[]): T[] =>
  first === undefined ? [...others] : [first, ...others.slice(0, 2), ...mixed(more, others.slice(2))]

/** Live tests go beside what computes, which keeps the processors busy while those wait. */
class WaitingBesideComputing extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = [...live, ...longest].findIndex((name) => moduleId.includes(name))
      return at === -1 ? live.length + longest.length : at
    }
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
    const units = sorted.filter(({ project }) => project.name !== endToEnd)
    const played = sorted.filter(({ project }) => project.name === endToEnd)
    const waiting = played.filter((each) => rank(each) < live.length)
    const others = played.filter((each) => rank(each) >= live.length)
    return [...waiting.slice(0, workersThatWait), ...units, ...mixed(waiting.slice(workersThatWait), others)]
  }
}

const shared = {
  // No test has to be quick: a machine may be as busy as it likes.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  // Nothing in the product keeps state in a module, so that files can share what they import.
  isolate: false,
  setupFiles: ['./test/in-turn.ts'],
  server: { deps: { external: [/\/dist\//] } },
}

export default defineConfig(({ mode }) => ({
  // `npm test` has just built all.
  ...(mode === 'built' && { plugins: [asBuilt] }),
  test: {
    sequence: { sequencer: WaitingBesideComputing },
    projects: [
      {
        extends: true,
        mode,
        test: {
          ...shared,
          name: 'units',
          // Each reads and compiles all modules for itself, so more of them than processors only take longer.
          maxWorkers: availableParallelism(),
          execArgv: compilesLate,
          sequence: { groupOrder: 0 },
          include: [
            'src/**/*.test.ts',
            'reference-server/**/*.test.ts',
            'workshop/**/*.test.ts',
            'observatory/*.test.ts',
            'test/corpus/*.test.ts',
          ],
          exclude: [recordings],
        },
      },
      {
        extends: true,
        mode,
        test: { ...shared, name: 'recordings', maxWorkers: 1, sequence: { groupOrder: 1 }, include: [recordings] },
      },
      {
        extends: true,
        mode,
        test: {
          ...shared,
          name: endToEnd,
          maxWorkers: workersThatPlay,
          // After the others, unless each kind is run by itself beside them.
          sequence: { groupOrder: 2 },
          include: ['test/**/*.test.ts'],
          exclude: ['test/corpus/**'],
          setupFiles: [...shared.setupFiles, './test/folders-gone.ts'],
          // Each starts programs, and of too many at once none is up in time.
          maxConcurrency: 4,
        },
      },
    ],
  },
}))
