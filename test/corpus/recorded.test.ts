import { describe, expect, it } from 'vitest'
import type { Diagnosed } from '../../src/cli/keystone/diagnosed.js'
import { trialsOf } from '../../src/cli/keystone/trials.js'
import { exampleNames, examples } from '../../workshop/corpus/examples.js'
import { nameOf, others, recordedContracts } from '../../workshop/corpus/record.js'
import { expectedOf, recordings } from '../../workshop/corpus/recordings.js'
import { isExactAndDiagnosed } from '../../workshop/keystone/expected-diagnosis.js'

/** What every fault and variation of every contract is, by its recording's name. */
const catalogued = recordedContracts.flatMap((contract) =>
  trialsOf(contract, []).map((trial) => [`${nameOf(contract)}/${trial.id}`, trial] as const),
)

const recorded = recordings()

/** What came out of a recording, in the keystone's terms. */
const outcomeOf = (id: string) => {
  const lines: [kind: string, id: string, ...rest: unknown[]][] = expectedOf(id).map((line) => JSON.parse(line))
  const of = (kind: string) => lines.filter(([each]) => each === kind)
  const clauses = (verdict: string) =>
    of('clause').flatMap(([, clause, level, found]) => (level !== 'observe' && found === verdict ? [clause] : []))
  const [[, , run]] = of('run') as [string, string, { exitCode: number }][]
  const diagnosed = of('diagnosed').map(([, where, looksLike, facts]) => ({ where, looksLike, facts }) as Diagnosed)
  return { failing: clauses('fail'), open: clauses('inconclusive'), diagnosed, exitCode: run.exitCode }
}

/** What servers on other people's limiters do otherwise than the interface (or a standard under it) asks, read in their source. */
const departures = [
  ['express-before-auth', 'express-rate-limit before authentication keeps every clause', [], []],
  ['express-after-auth', 'express-rate-limit after authentication shows strangers no headers', ['RATE-1'], []],
  // A Reset that names moments in 1970 promises no return that could be waited for.
  ['fastify', '@fastify/rate-limit counts Reset in seconds from now', ['RATE-5'], ['RATE-6']],
  ['koa', 'koa-ratelimit shows a fraction as Reset and cuts Retry-After off', ['RATE-7', 'THROTTLE-4'], []],
] as const

/**
 * What is to be recorded still: with two policies, limits of 10 to 15 and windows of 2 s, the certificate leaves right
 * targets open whose quota comes back bit by bit, is spent by the other's refusals, or is back at a whole second.
 */
const toBeRecorded = [
  'two-policies/limiter-sliding-counter',
  'two-policies/resets-rounded-down',
  'two-policies/refusals-spend-the-other-quota',
]

describe('the recorded runs', () => {
  it('are there for every fault and variation of every contract, and for what is recorded besides', () => {
    const wanted = [...catalogued.map(([id]) => id), ...others.keys()]
    expect(wanted.filter((id) => !recorded.includes(id))).toEqual(toBeRecorded)
  })

  it('are of nothing that there is not', () => {
    const known = new Set([...catalogued.map(([id]) => id), ...others.keys()])
    expect(recorded.filter((id) => !known.has(id))).toEqual([])
  })

  it.each(catalogued.filter(([id]) => recorded.includes(id)))('%s fails exactly what it breaks', (id, trial) => {
    const outcome = outcomeOf(id)
    expect(isExactAndDiagnosed(trial, outcome), JSON.stringify(outcome)).toBe(true)
  })

  it.each(recorded.filter((id) => id.endsWith('/plain')))('%s fails nothing, and leaves nothing open', (id) => {
    expect(outcomeOf(id)).toEqual({ failing: [], open: [], diagnosed: [], exitCode: 0 })
  })

  it('are of every example of a contract', () => {
    expect(Object.keys(examples).sort()).toEqual(exampleNames().sort())
  })

  it.each(Object.entries(examples))(
    'examples/%s accuses a server of what it breaks, and of nothing else',
    (name, example) => {
      expect(outcomeOf(`examples/${name}`)).toMatchObject({ failing: [], diagnosed: [] })
      expect(outcomeOf(`examples/${name}-${example.fault}`)).toMatchObject({
        failing: expect.arrayContaining([example.breaks]),
        exitCode: 1,
      })
    },
  )

  it.each(departures)('foreign/%s: %s, and departs in nothing else', (id, _, failing, open) => {
    expect(outcomeOf(`foreign/${id}`)).toMatchObject({ failing, open })
  })
})
