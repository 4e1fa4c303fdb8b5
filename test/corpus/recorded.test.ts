import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trialsOf } from '../../src/cli/keystone/trials.js'
import { judge } from '../../src/run/judge.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import { exampleNames, examples } from '../../workshop/corpus/examples.js'
import { outcomeOf } from '../../workshop/corpus/expectation.js'
import { others } from '../../workshop/corpus/record.js'
import { unpackRun } from '../../workshop/corpus/recording.js'
import { expectedOf, nameOf, recordedContracts, recordingFile, recordings } from '../../workshop/corpus/recordings.js'
import { isExactAndDiagnosed } from '../../workshop/keystone/expected-diagnosis.js'

/** What every fault and variation of every contract is, by its recording's name. */
const catalogued = recordedContracts.flatMap((contract) =>
  trialsOf(contract, []).map((trial) => [`${nameOf(contract)}/${trial.id}`, trial] as const),
)

const recorded = recordings()

/** What servers on other people's limiters do otherwise than the interface (or a standard under it) asks, read in their source. */
const departures = [
  ['express-before-auth', 'express-rate-limit before authentication keeps every clause', [], []],
  ['express-after-auth', 'express-rate-limit after authentication shows strangers no headers', ['RATE-1'], []],
  // A Reset that names moments in 1970 promises no return that could be waited for.
  ['fastify', '@fastify/rate-limit counts Reset in seconds from now', ['RATE-5'], ['RATE-6']],
  ['koa', 'koa-ratelimit shows a fraction as Reset and cuts Retry-After off', ['RATE-7', 'THROTTLE-4'], []],
] as const

/** The outcome of a recording. */
const cameTo = (id: string) => outcomeOf(expectedOf(id))

/**
 * What stays open on variations with two policies, limits of 10 to 15 and windows of 2 s: those whose quota comes back bit by
 * bit, is spent by the other's refusals, or is back at a whole second.
 */
const leftOpen: Readonly<Record<string, readonly string[]>> = {
  'two-policies/limiter-sliding-counter': ['QUOTA-1', 'QUOTA-2'],
  'two-policies/resets-rounded-down': ['RATE-6'],
  'two-policies/refusals-spend-the-other-quota': ['QUOTA-1', 'QUOTA-2', 'THROTTLE-4'],
}

describe('the recorded runs', () => {
  it('are there for every fault and variation of every contract, and for what is recorded besides', () => {
    const wanted = [...catalogued.map(([id]) => id), ...others.keys()]
    expect(wanted.filter((id) => !recorded.includes(id))).toEqual([])
  })

  it('are of nothing that there is not', () => {
    const known = new Set([...catalogued.map(([id]) => id), ...others.keys()])
    expect(recorded.filter((id) => !known.has(id))).toEqual([])
  })

  it.each(catalogued)('%s fails exactly what it breaks', (id, trial) => {
    const { open, ...outcome } = cameTo(id)
    const isKnown = (clause: string) => leftOpen[id]?.includes(clause) === true
    const unknown = open.filter((clause) => !isKnown(clause))
    expect(isExactAndDiagnosed(trial, { ...outcome, open: unknown }), JSON.stringify(cameTo(id))).toBe(true)
  })

  it.each(recorded.filter((id) => id.endsWith('/plain')))('%s fails nothing, and leaves nothing open', (id) => {
    expect(cameTo(id)).toEqual({ failing: [], open: [], killers: [], diagnosed: [], exitCode: 0 })
  })

  it('are of every example of a contract', () => {
    expect(Object.keys(examples).sort()).toEqual(exampleNames().sort())
  })

  it.each(Object.entries(examples))(
    'examples/%s accuses a server of what it breaks, and of nothing else',
    (name, example) => {
      expect(cameTo(`examples/${name}`)).toMatchObject({ failing: [], diagnosed: [] })
      expect(cameTo(`examples/${name}-${example.fault}`)).toMatchObject({
        failing: expect.arrayContaining([example.breaks]),
        exitCode: 1,
      })
    },
  )

  it.each(departures)('foreign/%s: %s, and departs in nothing else', (id, _, failing, open) => {
    expect(cameTo(`foreign/${id}`)).toMatchObject({ failing, open })
  })
})

describe('what is judged before the end', () => {
  const untold = ['notes', 'unrestored', 'endedAt', 'interrupted', 'endedBy']
  const unread = {
    get: () => {
      throw new Error('a check reads how the run ended')
    },
  }

  it.each(['petstore/limit-plus-one', 'two-policies/limit-plus-one'])('%s comes to the same without its end', (id) => {
    const folder = mkdtempSync(join(tmpdir(), 'quotaspec-recorded-'))
    unpackRun(readFileSync(recordingFile(id)), folder)
    const evidence = savedEvidence(folder, () => {})
    rmSync(folder, { recursive: true })
    const before = Object.defineProperties(
      Object.fromEntries(Object.entries(evidence).filter(([name]) => !untold.includes(name))),
      Object.fromEntries(untold.map((name) => [name, unread])),
    ) as typeof evidence
    expect(judge(before)).toEqual(judge(evidence))
  })
})
