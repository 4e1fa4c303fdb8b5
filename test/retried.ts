import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed only when they were played again: what is flaky is to be seen, and mended. */
export default class Retried implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount > 0) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`played again: ${name}\n`)
  }
}
