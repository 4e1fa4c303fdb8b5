import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { type ClauseId, clauseOf, gravestOf, type Level, type ObservedId } from '../../contract/clauses.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { DefectId } from '../../oracle/diagnosis/diagnosis.js'
import { heldBackKey } from '../../oracle/held-back-key.js'
import type { Fact, Finding } from '../../verdict/verdict.js'
import type { SentencesOf } from './finding.js'
import { type Need, type TellingCases, tellingCases } from './needs.js'
import type { SharedCode } from './shared-sentences.js'
import { heldByAnotherKey } from './unplayed.js'

/** What the server's team should look at first if a check fails: at most 20 words, or such words for each finding. */
export type Advice = string | ((finding: Pick<Finding, 'code' | 'facts'>) => string)

const reset = 'Check what resets the count: a window must end when its time is up, whatever requests come meanwhile.'

/** What to check in a broken limiter, by what it looks like. */
export const ofLimiter: Readonly<Record<DefectId, string>> = {
  'no-limit': 'Check whether the limiter is installed on this route, and switched on in this environment.',
  'keys-share-bucket': "Check what the limiter's key is made of: each API key needs its own count.",
  'routes-count-alone': "Check what the limiter's key is made of: the route must not be part of it.",
  'counts-forgotten':
    'Check whether the target restarted during the run: its counts must outlive a restart or a deployment.',
  'quota-never-returns': 'Check the expiry of the count: it is never set, or is renewed forever.',
  'first-request-free': 'Check where a count begins: the request that creates it must count as one.',
  'limit-lower-by-one': 'Check the comparison with the limit: it refuses at the limit, not beyond it (< or <=).',
  'limit-higher-by-one': "Check the comparison with the limit (<= or <), and whether a window's first request counts.",
  'limit-of-another-plan': "Check how the server finds a key's plan: this key gets the limit of another plan.",
  'requests-count-twice': 'Check whether the limiter is mounted twice, or counts in two places for one request.',
  'nodes-count-alone': 'Check where the count is kept: each node has its own, and they must share one.',
  'nodes-share-limit':
    'Check where the count is kept: each node has a share of the limit, and refuses while others have room.',
  'window-shorter': "Check the length of the limiter's window, or the expiry of its count: it ends too soon.",
  'window-longer': "Check the length of the limiter's window, or the expiry of its count: it ends too late.",
  'window-in-cells': 'Check how the window slides: it must drop only what is older than the window.',
  'bucket-loses-tokens': 'Check how the bucket refills: it must keep a fraction of a token for the next request.',
  'every-request-renews': reset,
  'refusals-push-window': reset,
  'first-of-window-refused': 'Check how a window begins: the first request after the old window must be served.',
  'sub-window': 'Check for a second limit, perhaps in a gateway: one with a shorter window is in force.',
  'refusals-count': 'Check when the count goes up: a refused request must not count.',
  'check-apart-from-count':
    'Check whether checking and counting are one atomic step: simultaneous requests slip between the two.',
  'other-cost': 'Check what this request costs: it is not the agreed cost.',
  'cost-cut-to-left': 'Check the comparison with the limit: a request may pass only if its whole cost is left.',
  'other-model': 'Check which algorithm the limiter uses: the contract allows another.',
  'other-burst': "Check the size of the limiter's bucket: it is not the agreed one.",
  'other-limit': "Check the limit in the limiter's settings: it is not the agreed one.",
}

const isKnown = (id: Fact | undefined): id is DefectId => typeof id === 'string' && Object.hasOwn(ofLimiter, id)

/** Advice by what the limiter looks like; `otherwise` if that is not known. */
export const byDiagnosis =
  (otherwise: string): Advice =>
  ({ facts: { looksLike } }) =>
    isKnown(looksLike) ? ofLimiter[looksLike] : otherwise

/** Advice by the code of the finding; `otherwise` for all codes that are not listed. */
export const byCode =
  (otherwise: string, codes: Readonly<Record<string, string>>): Advice =>
  ({ code }) =>
    Object.hasOwn(codes, code) ? codes[code] : otherwise

export const adviceFor = (advice: Advice, finding: Pick<Finding, 'code' | 'facts'>): string =>
  typeof advice === 'string' ? advice : advice(finding)

/** What to play again, to get more evidence for a check that is left open. */
export interface PlayAgain {
  readonly probe: ProbeId
  /** Played again only if the scenario plays one of these: nothing is added that nobody asked for. */
  readonly beside: readonly ProbeId[]
  /** The settings to play it with, given the finding; undefined if playing it again would not help. */
  settings(finding: Finding): Readonly<Record<string, unknown>> | undefined
  /** The most expensive of all those settings, for the plan of a run. */
  readonly dearest: Readonly<Record<string, unknown>>
}

/** A promise, and the clauses that ask for it. */
export interface Promised {
  /** Permanent: the area of its first clause in lower case, a dot, and a name of its own. */
  readonly id: string
  /** What holds when it passes, as a sentence in the present tense. */
  readonly promise: string
  readonly clauses: readonly ClauseId[]
  /** Set if it only reports on a clause that must hold. A milder promise that can fail needs a clause of its own. */
  readonly level?: 'observe'
  /**
   * Whether it tests one side of a clause that another check tests in full: if it finds no evidence, the other's pass
   * stands. So a burst tests Remaining beside the row of requests, which suffices by itself.
   */
  readonly yields?: boolean
}

/** A check has the gravest level of its clauses, unless it names a milder one. */
export const levelOf = ({ level, clauses }: Pick<CheckOf<never>, 'level' | 'clauses'>): Level =>
  level ?? gravestOf(clauses.map((id) => clauseOf(id).level))

/** What a check reads from the evidence of a run, and what a pass needs. */
interface Reading {
  /** The probes whose exchanges it judges; `everything` if any answer to an operation will do. */
  readonly reads: readonly ProbeId[] | 'everything'
  /** For a check that reads everything: what to play for it alone, the first there is of each group. Absent: all. */
  readonly alone?: readonly (readonly ProbeId[])[]
  /** Whether it judges Reset: if Reset is optional and no answer had one, the check is not tested. */
  readonly readsReset?: true
  /** The evidence that a pass needs. A check that only observes needs none. */
  readonly needs?: Need
  /** What to play again for it; of several, each one that would help. */
  readonly again?: PlayAgain | readonly PlayAgain[]
  /** Set if it is only for the Petstore, or only for contract files. */
  readonly of?: 'petstore' | 'contract-file'
  /** For a contract file: whether the quota can keep or break the promise. Absent: any quota can. */
  judges?(contract: ApiContract, quota: QuotaSpec): boolean
  /** Whether it is left open if another plan's key spent a key's quota: then nothing seen on the keys tells. */
  readonly ofApartKeys?: true
  /** Whether it judges what events did, and so reads the run as a whole instead of the stretches between events. */
  readonly acrossEvents?: true
  /** The quota of a contract file for which it reads the evidence; absent: the evidence as it is. */
  readonly quota?: string
}

/** A promise, a pure judgement of some kind of evidence, and the sentences for its findings. */
export interface CheckOf<E, F extends Finding = Finding> extends Omit<Promised, 'level'> {
  /** For a contract file: the level that the contract gives the promise. */
  readonly level?: Level
  judge(evidence: E): F
  /** The sentence for each code that only this check gives. */
  readonly sentences?: Readonly<Record<string, (facts: never) => string>>
}

/** Evidence that a check lacks and a too lenient limiter may prevent: of these operations, or of any if none is named. */
interface Lacking {
  readonly what: 'refusals' | 'counts'
  readonly of: readonly string[]
}

export interface Check<F extends Finding = Finding> extends CheckOf<Evidence, F>, Reading {
  /** What to look at first if it fails; absent if it only observes. */
  readonly advice?: Advice
  /** What it lacks if it is left open; undefined if something else may be in its way too. */
  lacks?(finding: Pick<Finding, 'code' | 'facts'>): Lacking | undefined
}

/** A check that can fail does not compile without advice. */
type Advised =
  | { readonly level: 'observe'; readonly advice?: undefined }
  | { readonly clauses: readonly ObservedId[]; readonly advice?: undefined }
  | { readonly advice: Advice }

export type FindingOf<C extends Check> = ReturnType<C['judge']>

/** A judge whose codes are not known yet needs no sentences yet: the compiler looks at it last. */
type NeedsSentences<F extends Finding, Own> = {
  readonly [K in 'sentences' as string extends F['code'] ? never : [Own] extends [never] ? never : K]: unknown
}

type Superfluous<F extends Finding, S> = { readonly [C in Exclude<keyof S, F['code']>]: never }

/**
 * A judge with its sentences. It does not compile if a code has no sentence, if a sentence expects other facts than the
 * code has, or if a sentence is for a code that the judge never gives. `Shared` codes have their sentences elsewhere.
 */
export type Judging<E, F extends Finding, S, Shared, More extends unknown[] = []> = {
  judge(evidence: E, ...more: More): F
  readonly sentences?: S & NoInfer<SentencesOf<F, Exclude<F['code'], Shared>> & Superfluous<F, S>>
} & NoInfer<NeedsSentences<F, Exclude<F['code'], Shared>>>

/** The defined check, if its judge says which codes it gives. */
export type Defined<F extends Finding, C> = string extends F['code']
  ? 'a sentence is missing or too many, or the judge does not say which codes it gives'
  : C

/** If the check says what it needs, its judge gets a counter of telling cases. */
type Needing = { readonly needs: Need } | { readonly needs?: undefined; judge(evidence: Evidence): Finding }

/** Defines a check of a target, as {@link Judging} allows it. Without `reads`, any answer to an operation will do. */
export const defineCheck = <F extends Finding, S>(
  check: Promised &
    Omit<Reading, 'reads'> &
    Partial<Pick<Reading, 'reads'>> &
    Judging<Evidence, F, S, SharedCode, [telling: TellingCases]> &
    Advised &
    Pick<Check, 'lacks'> &
    Needing,
): Defined<F, Check<F>> => {
  const judge = (evidence: Evidence) => {
    const shared = check.ofApartKeys && heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    return check.judge(evidence, (check.needs && tellingCases(evidence, check.needs)) as TellingCases)
  }
  return { reads: 'everything', ...check, judge } as never
}
