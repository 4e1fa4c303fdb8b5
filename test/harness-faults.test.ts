import { describe, expect, it } from 'vitest'
import { buildReport } from '../src/assembly/build-report.js'
import type { Check } from '../src/checks/framework/check.js'
import { pass } from '../src/checks/framework/finding.js'
import type { ProbeId } from '../src/contract/probe-catalogue.js'
import { createRedactor } from '../src/evidence/redaction.js'
import { madeEvidence, madeKey } from '../src/evidence/testing/made-evidence.js'
import type { Probe } from '../src/probes/probe.js'
import { madeProbe } from '../src/probes/testing/made-probe.js'
import { judge } from '../src/run/judge.js'
import { playRun } from '../src/run/playing/play.js'
import { heldRun } from '../src/run/testing/held-run.js'

const probe = (id: string, part: Partial<Probe> = {}): Probe =>
  madeProbe({
    id,
    cost: () => ({ keyed: 2 }),
    async play(context) {
      await context.ask({ step: 'list', operation: 'listInventory' })
    },
    ...part,
  })

const oops = () => {
  throw new TypeError('oops')
}

const reading = (id: string, probeId: string, part: Partial<Check> = {}): Check => ({
  id: `rate.${id}`,
  promise: 'made',
  clauses: ['RATE-1'],
  reads: [probeId as ProbeId],
  judge: ({ exchanges }) => pass('held', { examined: exchanges.filter((x) => x.probe === probeId).length }),
  sentences: { held: () => 'held' },
  ...part,
})

/** Plays these probes against a target that serves everything. */
const play = async (...probes: readonly Probe[]) => {
  const { clock, openSender } = heldRun(() => ({ status: 200 }))
  const requests = probes.map(({ id }) => ({ key: 'free', probe: id, requests: 2 }))
  return playRun({
    head: madeEvidence([], {
      run: {
        keys: [madeKey('free')],
        probes: probes.map(({ id }) => ({ probe: id, settings: {} })),
        planned: { requests, durationMs: 100 },
      },
    }).run,
    scheduled: probes.map((each) => ({ probe: each, settings: {} })),
    journal: { write: () => {}, keep: () => {}, close: () => {} },
    openSender,
    redactor: createRedactor(),
    credentialOf: () => ({ headers: [], query: '' }),
    clock,
    startedAt: 0,
    interrupt: new AbortController().signal,
    loadAllowed: false,
    watch: () => {},
  })
}

type PlayedRun = Awaited<ReturnType<typeof play>>

const verdicts = (evidence: PlayedRun['evidence'], ...checks: readonly Check[]) =>
  judge(evidence, checks).checks.map(({ finding }) => `${finding.verdict} ${finding.code}`)

const exitCode = ({ evidence, crashes }: PlayedRun, ...checks: readonly Check[]) =>
  buildReport(evidence, judge(evidence, checks), { version: '0', crashed: crashes.length > 0 }).run.exitCode

describe('a fault of the harness', () => {
  it('in a probe spoils what reads that probe and nothing else, and the run is a fault of the harness', async () => {
    const run = await play(probe('one'), probe('two', { play: async () => oops() }), probe('three'))
    expect(run.crashes).toMatchObject([{ probe: 'two', error: new TypeError('oops') }])
    const checks = ['one', 'two', 'three'].map((id) => reading(id, id))
    const [one, two, three] = verdicts(run.evidence, ...checks)
    expect([one, three]).toEqual(['pass held', 'pass held'])
    expect(two).toBe('inconclusive probe-incomplete')
    expect(exitCode(run, ...checks)).toBe(4)
  })

  it('in a probe leaves what it had seen before on record, and a breach in it stays one', async () => {
    const half = probe('half', {
      async play(context) {
        await context.ask({ step: 'list', operation: 'listInventory' })
        oops()
      },
    })
    const run = await play(half)
    expect(run.evidence.exchanges).toHaveLength(1)
    expect(run.evidence.probes).toMatchObject([{ end: 'failed', reason: 'crashed: oops' }])
  })

  it('is none where a probe has spent its requests: it ends there, and nothing is made of what it has not asked', async () => {
    const greedy = probe('greedy', {
      async play(context) {
        for (let times = 0; times < 3; times += 1) await context.ask({ step: 'list', operation: 'listInventory' })
      },
    })
    const run = await play(greedy, probe('next'))
    expect(run.crashes).toEqual([])
    expect(run.evidence.exchanges.filter(({ probe: asking }) => asking === 'greedy')).toHaveLength(2)
    expect(verdicts(run.evidence, reading('greedy', 'greedy'))).toEqual(['inconclusive probe-incomplete'])
  })

  it('in a check leaves its clauses open and no others, and is told by the exit code', async () => {
    const run = await play(probe('one'))
    const checks = [reading('broken', 'one', { judge: oops }), reading('whole', 'one', { clauses: ['RATE-2'] })]
    const rows = judge(run.evidence, checks).clauses
    const verdictOf = (id: string) => rows.find(({ clause }) => clause.id === id)?.verdict
    expect([verdictOf('RATE-1'), verdictOf('RATE-2')]).toEqual(['inconclusive', 'pass'])
    expect(verdicts(run.evidence, ...checks)).toEqual(['inconclusive check-crashed', 'pass held'])
    expect(exitCode(run, ...checks)).toBe(4)
    expect(exitCode(run, checks[1])).toBe(0)
  })
})
