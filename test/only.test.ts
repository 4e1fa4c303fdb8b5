import { describe, expect, it } from 'vitest'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { playAgainst } from '../src/cli/keystone/play-trial.js'
import type { Evidence } from '../src/evidence/evidence.js'
import { judge } from '../src/run/judge.js'
import { checks, neededProbes } from '../src/run/registry.js'

const secret = 'only-free-Qa91Ws82Ed73'
const keys = [{ plan: 'free', secret } as const]

const play = async (faults: readonly string[], only: readonly string[] = []) => {
  const target = await startReferenceServer({ keys, timeScale: 60, port: 0, faults })
  return playAgainst({ target, keys, scenario: 'conformance', timeScale: 60, seed: 7, only })
}

/** What would have been seen if only these probes had been played. */
const seenBy = (evidence: Evidence, probes: readonly string[]): Evidence => ({
  ...evidence,
  run: { ...evidence.run, probes: evidence.run.probes.filter(({ probe }) => probes.includes(probe)) },
  exchanges: evidence.exchanges.filter(({ probe }) => probes.includes(probe)),
  ledgers: evidence.ledgers.filter(({ head }) => probes.includes(head.probe)),
  probes: evidence.probes.filter(({ probe }) => probes.includes(probe)),
})

describe.concurrent('a check that is played alone', () => {
  it('comes to the verdict that it comes to among all, whichever it is', async () => {
    const { evidence } = await play([])
    const played = evidence.run.probes.map(({ probe }) => probe)
    const alone = (id: string) => neededProbes(played, { only: [id], skip: [] }, checks)
    const verdicts = judge(evidence).checks.map(({ check, finding }) => [check.id, finding.verdict])
    const verdictsAlone = judge(evidence).checks.map(({ check }) => {
      const [result] = judge(seenBy(evidence, alone(check.id)), [check]).checks
      return [check.id, result.finding.verdict]
    })
    expect(verdictsAlone).toEqual(verdicts)
  })

  it('sends what it takes, and no more', async () => {
    const { evidence, report } = await play([], ['errors.status-agrees'])
    expect(report.clauses.find(({ id }) => id === 'ERR-2')?.verdict).toBe('pass')
    expect(report.clauses.find(({ id }) => id === 'RATE-1')?.verdict).toBe('not-tested')
    expect(new Set(evidence.exchanges.map(({ probe }) => probe))).toEqual(
      new Set(['hello', 'invalid-bodies', 'unknown-pet', 'no-key']),
    )
    expect(evidence.exchanges.length).toBeLessThan(60)
  })

  it('asks the same pets as among all, from the same seed', async () => {
    const asked = ({ evidence }: Awaited<ReturnType<typeof play>>) =>
      evidence.exchanges.filter(({ probe, step }) => probe === 'unknown-pet' && step === 'unknown').map((x) => x.intent)
    const all = asked(await play([]))
    expect(all.length).toBeGreaterThan(1)
    expect(asked(await play([], ['errors.status-agrees']))).toEqual(all)
  })

  it('shows its breach again by the command of its row, also where another probe has seen it', async () => {
    const { report } = await play(['list-stumbles-at-times'])
    const row = report.checks.find(({ id }) => id === 'errors.no-server-error')
    expect(row?.verdict).toBe('fail')
    expect(row?.command).toMatch(
      /--only errors\.no-server-error( --with [\w-]+)* --out reports\/only\/errors\.no-server-error$/,
    )
    const again = await play(['list-stumbles-at-times'], ['errors.no-server-error'])
    expect(again.report.checks.find(({ id }) => id === 'errors.no-server-error')?.verdict).toBe('fail')
  })
})
