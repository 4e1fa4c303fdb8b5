import { mostBeside } from '../contract/partitions.js'
import type { Evidence } from '../evidence/evidence.js'
import { onceFor } from '../kit/once-for.js'
import { seedOfPart } from '../kit/random.js'
import { type JudgedKey, judgedKeys, unitsOf } from '../oracle/judged-keys.js'
import { explainingModels } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import { outcomes } from '../readings/history.js'
import { viewOf } from '../readings/quota-views.js'
import { type CertifiedClause, type Defect, defectsFor } from './defects.js'
import { limitRange, type Range, windowRange } from './measured.js'
import { type Caught, likeTarget, type Replayable, toldBy } from './replays.js'

/** What the run's requests on a key would have shown of one defect. */
export interface Replayed extends Caught {
  readonly defect: Defect
  /** Whether it would have shown: in 95 of 100 draws at least. */
  readonly isExcluded: boolean
}

/** What a run says of a key's quota, by a replay of its own requests. */
export interface Certificate {
  readonly key: string
  readonly plan: string
  readonly replayed: readonly Replayed[]
  readonly measured: { readonly limit: Range; readonly windowMs: Range | null }
}

const demandedShare = 0.95

const isDecided = (outcome: number): boolean => outcome === outcomes.admitted || outcome === outcomes.refused

/** Whether a shorter quota beside holds the key to a pace at which it can't send its limit at once. */
const isPaced = (evidence: Evidence, { name }: JudgedKey): boolean => {
  const { contract } = evidence.run
  const { credential = name } = evidence.run.keys.find((each) => each.name === name) ?? {}
  return contract !== undefined && Number.isFinite(mostBeside(contract, viewOf(evidence).quota, credential))
}

const replayableOf = (evidence: Evidence, { name, record, ...key }: JudgedKey): Replayable & { routes: number } => {
  const { history, rows } = unitsOf({ record, ...key })
  const models = explainingModels(key.judgement?.explanations ?? {})
  const routeOf = (i: number) => record.operation(rows[i]) ?? ''
  const routes = new Set(Array.from(history.outcome, (each, i) => (isDecided(each) ? routeOf(i) : '')).filter(Boolean))
  return {
    history,
    window: key.agreed,
    models,
    routeOf,
    routes: routes.size,
    seed: seedOfPart(evidence.run.seed, name),
  }
}

/** Keys that the oracle passes, the one with the fewest requests first. */
const passedKeys = (evidence: Evidence): JudgedKey[] =>
  judgedKeys(evidence)
    .filter(({ judgement }) => judgement?.verdict === 'pass')
    .toSorted((a, b) => a.history.size - b.history.size)

/** The defects that a gate of the run asks to be excluded. */
const wantedBy = ({ run }: Evidence): readonly unknown[] =>
  Array.isArray(run.gates.excludes) ? run.gates.excludes : []

/**
 * The certificate of each key that the oracle passes: which defective limiters the run's requests would have shown,
 * and what limits and windows explain its answers. A defect that all keys share, as nodes that count alone, is replayed
 * on one key after the other until one excludes it. What no pass demands is replayed on the key with the fewest requests,
 * and on each where a gate asks for it.
 */
export const certificates = onceFor((evidence: Evidence): readonly Certificate[] => {
  const keys = passedKeys(evidence)
  const excluded = new Set<string>()
  const wanted = wantedBy(evidence)
  return keys.map((key, place) => {
    const others = keys.filter(({ plan, agreed }) => plan !== key.plan && agreed.limit !== key.agreed.limit)
    const otherLimits = Object.fromEntries(others.map(({ plan, agreed }) => [plan, agreed.limit]))
    const { routes, ...replayable } = replayableOf(evidence, key)
    const like = likeTarget(replayable)
    const asked = defectsFor(key.agreed, otherLimits, routes, isPaced(evidence, key)).filter(({ id, of, clauses }) =>
      of === 'each key' ? clauses.length > 0 || place === 0 || wanted.includes(id) : !excluded.has(id),
    )
    const replayed = asked.map((defect) => {
      const caught = toldBy(replayable, like, defect)
      const isExcluded = caught.caught >= demandedShare * caught.draws
      if (isExcluded) excluded.add(defect.id)
      return { defect, ...caught, isExcluded }
    })
    const { history, window } = replayable
    const measured = {
      limit: limitRange(history, window),
      windowMs: isExact(window) ? windowRange(history, window) : null,
    }
    return { key: key.name, plan: key.plan, replayed, measured }
  })
})

/** A defect that could still hide behind a pass, with the plan on which it could. */
export interface Hidden extends Replayed {
  readonly plan: string
}

/**
 * What breaks a clause and could still hide on these plans, for the run's requests would not have shown it. What is in
 * the limiter of all keys is excluded by any of them.
 */
export const hiddenDefects = (
  evidence: Evidence,
  clause: CertifiedClause,
  isMeant: (key: Pick<Certificate, 'key'>) => boolean,
): Hidden[] => {
  const all = certificates(evidence)
  const excluded = new Set(
    all.flatMap(({ replayed }) => replayed.filter((each) => each.isExcluded).map(({ defect }) => defect.id)),
  )
  return all
    .filter(isMeant)
    .flatMap(({ plan, replayed }) => replayed.map((each) => ({ plan, ...each })))
    .filter(({ defect, isExcluded }) => !isExcluded && defect.clauses.includes(clause))
    .filter(({ defect }) => defect.of === 'each key' || !excluded.has(defect.id))
}
