import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first: it is mostly waiting for windows, and the others run beside it. */
const longest = [
  'keystone',
  'foreign',
  'tarball',
  'scenarios',
  'report-browser',
  'docs/commands',
  'nothing-is-lost',
  'ci-steps',
  'resume',
  'model-walk',
  'four-nodes',
  'no-harm',
  'no-leak',
  'pages',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'reference-server/**/*.test.ts', 'workshop/**/*.test.ts'],
          // Nothing in the product keeps state in a module, so that files can share what they import.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'end to end',
          include: ['test/**/*.test.ts'],
          // Sockets and child processes on a crowded machine: a test that a stall spoiled is played again before it counts.
          retry: 2,
          // Most of such a test is waiting for a window, not work: more of them than processors run at once. But each
          // starts programs, and of too many at once none is up in time.
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
    ],
  },
})
