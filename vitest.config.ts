import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'reference-server/**/*.test.ts', 'test/**/*.test.ts'],
    // Most of a slow test is waiting for a window, not work: more of them than there are processors run at once.
    maxWorkers: 4,
    // Sockets and child processes on a crowded machine: a test that a stall spoiled is played again before it counts.
    retry: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
