import { returningAtOnce } from '../contract/limiter-models.js'
import { firstTurn, mostBeside } from '../contract/partitions.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { noLongerLimit, type QuotaWindow } from '../contract/plans.js'
import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { medianOf, placesOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { seedOfPart } from '../kit/random.js'
import { witnessText } from '../kit/witness.js'
import { type JudgedKey, judgedKeys, unitsOf } from '../oracle/judged-keys.js'
import { explainingModels, fits } from '../oracle/models/explain.js'
import { admissibleModels, isExact } from '../oracle/models/explanation.js'
import { withUnclearTold } from '../oracle/unclear-told.js'
import { outcomes } from '../readings/history.js'
import { viewOf } from '../readings/quota-views.js'
import { spellingsAsked } from '../readings/spellings-asked.js'
import { toldByAnswers } from './answer-defects.js'
import { apartDefects, operationLimit, sharingDefects } from './counts-apart.js'
import { bucketDefects, defectsFor } from './defects.js'
import { limitRange, type Range, windowRange } from './measured.js'
import type { CertifiedClause, Defect } from './named-defect.js'
import { answersApart, type Draw, type Replayable, type Replayed, toldOfDefect } from './replays.js'

/** What a run shows about a key's quota, through a replay of its own requests. */
export interface Certificate {
  readonly key: string
  readonly plan: string
  readonly replayed: readonly Replayed[]
  readonly measured: { readonly limit: Range; readonly windowMs: Range | null }
}

/** Whether a shorter quota paces the key, so that it cannot send its limit at once. */
const isPaced = (evidence: Evidence, { name }: JudgedKey): boolean => {
  const { credential = name } = evidence.run.keys.find((each) => each.name === name) ?? {}
  const { quota } = viewOf(evidence)
  return Number.isFinite(mostBeside(contractOf(evidence.run), quota, firstTurn(quota, credential)))
}

const passedKeys = (evidence: Evidence): JudgedKey[] =>
  judgedKeys(evidence)
    .filter(({ judgement }) => judgement?.verdict === 'pass')
    .toSorted((a, b) => a.history.size - b.history.size)

const wantedBy = ({ run }: Evidence): readonly unknown[] =>
  Array.isArray(run.gates.excludes) ? run.gates.excludes : []

/** A key that the oracle passes, with the defects that its requests can be replayed through. */
interface ReplayedKey extends Replayable {
  readonly key: JudgedKey
  readonly name: string
  readonly plan: string
  readonly defects: readonly Defect[]
  /** Cached by defect: the same keys come before this one each time. */
  readonly tell: (defect: Defect, onOthers?: readonly Draw[]) => Replayed
}

/** Those exchanges of a key that are in its history, each with its index there. */
const placesIn = (key: JudgedKey, asked: readonly Exchange[]): [Exchange, number][] => {
  const mine = new Map(asked.flatMap((x) => (x.key === key.name ? [[x.id, x]] : [])))
  const rows =
    mine.size === 0 ? [] : Array.from(unitsOf(key).rows, (row) => mine.get(witnessText(key.record.witness(row))))
  return rows.flatMap((x, place) => (x === undefined ? [] : [[x, place]]))
}

/** The keys that were spent while this one was tested for being held back, by plan. */
const spentBeside = (evidence: Evidence, key: JudgedKey) => {
  const asked = placesIn(key, exchangesOf(evidence, 'isolation', 'beside'))
  return Object.fromEntries(
    judgedKeys(evidence).flatMap((other) => {
      const asking = asked.flatMap(([{ intent }, place]) => (intent.spent === other.name ? [place] : []))
      return asking.length === 0 ? [] : [[other.plan, { history: unitsOf(other).history, asking }]]
    }),
  )
}

/** The refused requests in another spelling on a spent key, with that spelling. */
const refusedOtherwise = (evidence: Evidence, key: JudgedKey) => {
  const refused = spellingsAsked(evidence).filter(({ response }) => response?.status === 429)
  return new Map(placesIn(key, refused).map(([{ intent }, place]) => [place, intent.spelling]))
}

const replayedKey = (evidence: Evidence, key: JudgedKey, others: Readonly<Record<string, number>>): ReplayedKey => {
  const { name, plan, record, judgement, agreed: window } = key
  const clearer = withUnclearTold(key)
  const isClearer = clearer !== key.history && fits(clearer, window)
  const { history, rows } = unitsOf(isClearer ? { ...key, history: clearer } : key)
  const routeOf = (i: number) => record.operation(rows[i]) ?? ''
  const models = explainingModels(judgement?.explanations ?? {})
  const replayable = { history, window, models, seed: seedOfPart(evidence.run.seed, name) }
  const wanted = wantedBy(evidence)
  const told = new Map<Defect, Replayed>()
  const tell = (defect: Defect, onOthers?: readonly Draw[]): Replayed => {
    const known = told.get(defect) ?? toldOfDefect(replayable, defect, wanted.includes(defect.id), onOthers)
    told.set(defect, known)
    return known
  }
  return {
    ...replayable,
    key,
    name,
    plan,
    defects: [
      ...defectsFor(window, others, { isPaced: isPaced(evidence, key), answersApartMs: answersApart(history) }),
      ...bucketDefects(window, models),
      ...apartDefects(history, window, routeOf, refusedOtherwise(evidence, key)),
      ...sharingDefects(spentBeside(evidence, key)),
    ],
    tell,
  }
}

const replayedKeys = onceFor((evidence: Evidence): readonly ReplayedKey[] => {
  const keys = passedKeys(evidence)
  return keys.map((key) => {
    const others = keys.filter(({ plan, agreed }) => plan !== key.plan && agreed.limit !== key.agreed.limit)
    return replayedKey(evidence, key, Object.fromEntries(others.map(({ plan, agreed }) => [plan, agreed.limit])))
  })
})

/**
 * Which of these defects each key's requests would have shown. A defect that all keys share, such as nodes that count alone,
 * is replayed on key after key until the replays so far exclude it: if the first shows it in 16 of 20 replays, the next has
 * to show it in three of the other four. A defect that no pass requires to exclude is replayed on the key with the fewest
 * requests, and on all keys if a gate asks for it.
 */
const toldOf = (evidence: Evidence, isMeant: (defect: Defect) => boolean) => {
  const excluded = new Set<string>()
  const drawnSoFar = new Map<string, readonly Draw[]>()
  const wanted = wantedBy(evidence)
  const isAsked = ({ id, of, clauses }: Defect, place: number): boolean =>
    of === 'each key' ? clauses.length > 0 || place === 0 || wanted.includes(id) : !excluded.has(id)
  return replayedKeys(evidence).map((key, place) => {
    const replayed = key.defects
      .filter((defect) => isMeant(defect) && isAsked(defect, place))
      .map((defect) => key.tell(defect, defect.of === 'one key' ? drawnSoFar.get(defect.id) : undefined))
    for (const { defect, isExcluded, drawn = [] } of replayed) {
      drawnSoFar.set(defect.id, drawn)
      if (isExcluded) excluded.add(defect.id)
    }
    return { ...key, replayed, excluded }
  })
}

/** The certificate of each passing key: which defects its requests would have exposed, and which limits and windows fit. */
export const certificates = onceFor((evidence: Evidence): readonly Certificate[] => {
  const byAnswers = toldByAnswers(passedKeys(evidence))
  return toldOf(evidence, () => true).map(({ key, name, plan, replayed, history, window }) => ({
    key: name,
    plan,
    replayed: [...replayed, ...(byAnswers.get(key) ?? []), ...operationLimit(key.record, window)],
    measured: {
      limit: limitRange(history, window),
      windowMs: isExact(window) ? windowRange(history, window) : null,
    },
  }))
})

/** A defect that could still hide behind a pass, with the plan concerned. */
interface Hidden extends Replayed {
  readonly plan: string
  readonly limit: number
  /** The limit of the longer window. */
  readonly ofDay: number
  /** Whether the key may be counted by a sliding counter. */
  readonly mayWeigh: boolean
  readonly blur: Blur | null
}

/** How long an admission usually took, and the shorter time in which the quota gives a request back. */
type Blur = Readonly<Record<'tookMs' | 'backMs', number>>

/**
 * What blurs a limit that comes back bit by bit: while an answer is under way more than one request comes back, so nobody can
 * tell how many were there when it was counted. Example: a queue that answers a burst of 10 over 2 s gives one back every 0.2 s.
 */
const blurOf = ({ history, window, models }: ReplayedKey): Blur | null => {
  const { size, outcome, sentMs, receivedMs } = history
  const took = placesOf(size, (i) => outcome[i] === outcomes.admitted).map((i) => receivedMs[i] - sentMs[i])
  const tookMs = medianOf(took.sort((a, b) => a - b))
  const backMs = window.windowMs / window.limit
  return tookMs > backMs && !models.some((model) => returningAtOnce.has(model)) ? { tookMs, backMs } : null
}

const quotaOf = (window: QuotaWindow) => ({
  limit: window.burst ?? window.limit,
  ofDay: window.longer?.limit ?? noLongerLimit,
  mayWeigh: admissibleModels(window).includes('sliding-counter'),
})

/**
 * Defects that break a clause and could still hide on these keys, because the run's requests would not have shown them. Any
 * key excludes a defect of the limiter that serves all.
 */
export const hiddenDefects = (
  evidence: Evidence,
  clause: CertifiedClause,
  isMeant: (name: string) => boolean,
): Hidden[] =>
  toldOf(evidence, ({ clauses }) => clauses.includes(clause)).flatMap(({ replayed, excluded, ...key }) => {
    if (!isMeant(key.name)) return []
    const { plan, window } = key
    const of = { plan, ...quotaOf({ ...window, longer: key.key.window.longer }), blur: blurOf(key) }
    return replayed
      .filter(({ defect, isExcluded }) => !isExcluded && (defect.of === 'each key' || !excluded.has(defect.id)))
      .map((each) => ({ ...of, ...each }))
  })

/** Defects that break a clause and that no key's answers would have shown: one target writes the answers for all. */
export const hiddenInAnswers = (evidence: Evidence, clause: CertifiedClause): Hidden[] => {
  const byKey = toldByAnswers(judgedKeys(evidence), ({ clauses }) => clauses.includes(clause))
  const told = [...byKey].flatMap(([{ plan, window }, each]) =>
    each.map((one) => ({ plan, ...quotaOf(window), blur: null, ...one })),
  )
  const excluded = new Set(told.filter(({ isExcluded }) => isExcluded).map(({ defect }) => defect.id))
  return told.filter(({ defect }) => !excluded.has(defect.id))
}
