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

/**
 * What a server's team looks at first where a check fails: one plain sentence of at most 20 words, by what was found where
 * that says more.
 */
export type Advice = string | ((finding: Pick<Finding, 'code' | 'facts'>) => string)

const reset = 'Check what resets the count: a window must end when its time is up, whatever requests come meanwhile.'

/** Where a broken limiter is likely to be broken, by what it looks like. */
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

/** Advice by what the limiter looks like; where that is not known, the other one. */
export const byDiagnosis =
  (otherwise: string): Advice =>
  ({ facts: { looksLike } }) =>
    isKnown(looksLike) ? ofLimiter[looksLike] : otherwise

/** Advice by the code of what was found; the other one for all codes that are not named. */
export const byCode =
  (otherwise: string, codes: Readonly<Record<string, string>>): Advice =>
  ({ code }) =>
    Object.hasOwn(codes, code) ? codes[code] : otherwise

export const adviceFor = (advice: Advice, finding: Pick<Finding, 'code' | 'facts'>): string =>
  typeof advice === 'string' ? advice : advice(finding)

/** How a check that is left open gets more of what tells. */
export interface PlayAgain {
  readonly probe: ProbeId
  /** Only where the scenario plays one of these: what nobody asked for is not asked again. */
  readonly beside: readonly ProbeId[]
  /** The settings to play it with, given what was found; undefined where playing it once more would not help. */
  settings(finding: Finding): Readonly<Record<string, unknown>> | undefined
  /** Of all those settings the ones that cost most, for the plan. */
  readonly dearest: Readonly<Record<string, unknown>>
}

/** A promise, and the clauses that ask for it. */
export interface Promised {
  /** Permanent: the area of its first clause in small letters, a dot, and a name of its own. */
  readonly id: string
  /** What holds when it passes, as a sentence in the present tense. */
  readonly promise: string
  readonly clauses: readonly ClauseId[]
  /** Where it only reports beside what must hold. A milder promise that can fail needs a clause of its own. */
  readonly level?: 'observe'
  /**
   * Whether it looks at one side of a clause of which another check sees the whole: where it finds nothing that tells, the
   * other's pass stands. So a burst tells of Remaining beside the row that tells by itself.
   */
  readonly yields?: boolean
}

/** A check has the gravest level of its clauses, unless it names a milder one. */
export const levelOf = ({ level, clauses }: Pick<CheckOf<never>, 'level' | 'clauses'>): Level =>
  level ?? gravestOf(clauses.map((id) => clauseOf(id).level))

/** What a check reads of the evidence of a run, and what a pass takes. */
interface Reading {
  /** The probes whose exchanges it judges; `everything` where any answer of an operation will do. */
  readonly reads: readonly ProbeId[] | 'everything'
  /**
   * Where it reads everything: the probes that it takes when it is judged alone, of each group the first that the scenario
   * plays. Absent: it takes all.
   */
  readonly alone?: readonly (readonly ProbeId[])[]
  /** Whether it judges the Reset of answers: where that may be left out, and none came, it is not tested. */
  readonly readsReset?: true
  /** What a pass takes. A check that only observes has no need. */
  readonly needs?: Need
  /** What is played again for it; of several each that would help. */
  readonly again?: PlayAgain | readonly PlayAgain[]
  /** Where it is for less than its clause: for pets alone, or for contract files alone. */
  readonly of?: 'petstore' | 'contract-file'
  /** Of a contract file: whether the quota can keep or break what is promised. Any can where it is absent. */
  judges?(contract: ApiContract, quota: QuotaSpec): boolean
  /** Whether it is open where a key had been spent by another plan's: what is seen on the keys tells nothing then. */
  readonly ofApartKeys?: true
  /** Whether it judges what events did, so that it looks at the run as a whole, and not at the stretches between them. */
  readonly acrossEvents?: true
  /** The quota of a contract file as which it reads the evidence; absent: the evidence as it is. */
  readonly quota?: string
}

type Sentences = Readonly<Record<string, (facts: never) => string>>

/** A promise, a pure judgement of evidence of some kind, and the sentences that tell what it comes to. */
export interface CheckOf<E, F extends Finding = Finding> extends Omit<Promised, 'level'> {
  /** Of a contract file: the level that the contract gives to what is promised. */
  readonly level?: Level
  judge(evidence: E): F
  /** The sentence of each code that is this check's own. */
  readonly sentences?: Sentences
}

/** Evidence that a check lacks, and that a limiter which lets too much past takes away: of these operations; none named: of any. */
interface Lacking {
  readonly what: 'refusals' | 'counts'
  readonly of: readonly string[]
}

export interface Check<F extends Finding = Finding> extends CheckOf<Evidence, F>, Reading {
  /** What to look at first where it fails; absent where it only observes. */
  readonly advice?: Advice
  /** What it lacks where it is left open; undefined where more than these may be in its way. */
  lacks?(finding: Pick<Finding, 'code' | 'facts'>): Lacking | undefined
}

/** A check that can fail does not compile without advice. */
type Advised =
  | { readonly level: 'observe'; readonly advice?: undefined }
  | { readonly clauses: readonly ObservedId[]; readonly advice?: undefined }
  | { readonly advice: Advice }

export type FindingOf<C extends Check> = ReturnType<C['judge']>

/** A judge that does not say which codes it gives asks for no sentences yet: the compiler looks at it last. */
type NeedsSentences<F extends Finding, Own> = {
  readonly [K in 'sentences' as string extends F['code'] ? never : [Own] extends [never] ? never : K]: unknown
}

type Superfluous<F extends Finding, S> = { readonly [C in Exclude<keyof S, F['code']>]: never }

/**
 * A judge with its sentences. Neither does one compile that gives a code without a sentence, or with other facts than the
 * sentence tells of, nor one with a sentence for a code that it never gives. Codes that are `Shared` have theirs elsewhere.
 */
export type Judging<E, F extends Finding, S, Shared, More extends unknown[] = []> = {
  judge(evidence: E, ...more: More): F
  readonly sentences?: S & NoInfer<SentencesOf<F, Exclude<F['code'], Shared>> & Superfluous<F, S>>
} & NoInfer<NeedsSentences<F, Exclude<F['code'], Shared>>>

/** The check that is defined, if its judge says which codes it gives. */
export type Defined<F extends Finding, C> = string extends F['code']
  ? 'a sentence is missing or too many, or the judge does not say which codes it gives'
  : C

/** A judge is handed a count of the cases that tell, where it is said what its check needs. */
type Needing = { readonly needs: Need } | { readonly needs?: undefined; judge(evidence: Evidence): Finding }

/** A check of a target, as {@link Judging} allows it: one that does not say what it reads takes any answer of an operation. */
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
