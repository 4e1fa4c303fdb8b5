import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocking, leakyBucket, twoPolicies } from '../../reference-server/testing/keystone-contracts.js'
import { buildReport } from '../../src/assembly/build-report.js'
import { diagnosedIn } from '../../src/cli/keystone/diagnosed.js'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { judge } from '../../src/run/judge.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import { type Expectation, expectationOf } from './expectation.js'
import { unpackRun } from './recording.js'

/** The contracts whose faults and variations are recorded; undefined is the Petstore's. */
export const recordedContracts: readonly (ApiContract | undefined)[] = [undefined, blocking, leakyBucket, twoPolicies]

export const nameOf = (contract: ApiContract | undefined): string => contract?.name ?? 'petstore'

/** The folder of recordings: `petstore/limit-plus-one.run` with its expected result, `limit-plus-one.ndjson`. */
const corpusFolder = join('test', 'corpus')

const recordingSuffix = '.run'

/** The recordings by contract and id, such as `petstore/limit-plus-one`; the largest first. */
export const recordings = (): string[] =>
  readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(recordingSuffix))
    .map((name) => ({ name, size: statSync(join(corpusFolder, name)).size }))
    .sort((one, other) => other.size - one.size)
    .map(({ name }) => name.slice(0, -recordingSuffix.length))

export const recordingFile = (id: string): string => join(corpusFolder, `${id}${recordingSuffix}`)
const expectationFile = (id: string): string => join(corpusFolder, `${id}.ndjson`)

/** The expected result of a recording; empty if not written yet. */
export const expectedOf = (id: string): Expectation =>
  existsSync(expectationFile(id)) ? readFileSync(expectationFile(id), 'utf8').trimEnd().split('\n') : []

export const accept = (id: string, expectation: Expectation): void =>
  writeFileSync(expectationFile(id), `${expectation.join('\n')}\n`)

/** Reads and judges a recording as `quotaspec judge` does a saved run. */
export const judgeRecording = (id: string): Expectation => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-recording-'))
  try {
    unpackRun(readFileSync(recordingFile(id)), folder)
    const unreadable: string[] = []
    const evidence = savedEvidence(folder, (text) => unreadable.push(text.replaceAll(folder, '')))
    // An expectation has no certificates: what they keep from passing is a verdict.
    const report = buildReport(evidence, judge(evidence), { version: '', crashed: false, certificates: [] })
    return [
      ...expectationOf(report, diagnosedIn(evidence, report)),
      ...unreadable.map((text) => JSON.stringify(['unreadable', text])),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
