import type { Finding, Verdict } from './verdict.js'

/** The facts behind each code that the judgement of a client can give. The report has a sentence for each. */
export interface ClientFacts {
  /** Everything that was looked at kept the promise. */
  held: { examined: number }
  /** Of the waits that were kept, so many were such that coming that much too early would have shown. */
  'waits-kept': { examined: number; telling: number; needed: number; tellingMs: number }
  'kept-or-held-up': { examined: number; telling: number; needed: number; tellingMs: number; concealedMs: number }
  'gives-up': { examined: number }
  'case-not-played': { wanted: string }
  'never-arrived': Record<never, never>
  'never-tries-again': Record<never, never>
  'no-bearer': { case: string; shown: string }
  'comes-early': { case: string; named: string; namedMs: number; waitedMs: number; parallel: boolean }
  'early-or-under-way': { case: string; named: string; waitedMs: number }
  'misses-date': { case: string; named: string; namedMs: number; waitedMs: number }
  'gives-up-on-date': { case: string }
  'dates-kept': { examined: number; telling: number }
  'date-or-own-wait': { examined: number; telling: number }
  'obsolete-date-missed': { case: string }
  'obsolete-dates-kept': { examined: number }
  hammers: { case: string; named: string; waitMs: number; nextWaitMs: number }
  'hammers-or-late': { case: string; named: string; waitMs: number; nextWaitMs: number }
  'waits-do-not-grow': { waitsMs: readonly number[]; meanRatio: number; lastRatio: number }
  'growth-unclear': { waitsMs: readonly number[]; meanRatio: number; lastRatio: number }
  'too-few-waits': { waits: number; plays: number }
  'too-few-plays': { plays: number }
  grows: { waitsMs: readonly number[]; factor: number }
  'no-jitter': { attempt: number; waitMs: number; spreadMs: number; plays: number }
  jittered: { attempt: number; waitMs: number; spreadMs: number; plays: number }
  'machine-too-busy': { attempt: number; waitMs: number; spreadMs: number; plays: number; lateMs: number }
  'attempts-unbounded': { case: string; attempts: number }
  'bound-not-seen': { case: string; watchedMs: number; longestWaitMs: number }
  bounded: { attempts: number }
  'workers-come-back-at-once': { case: string; workers: number; withinMs: number }
  'workers-spread': { workers: number; withinMs: number }
  'workers-spread-or-held-up': { case: string; workers: number; withinMs: number; lateMs: number }
  'no-parallel-workers': Record<never, never>
  'no-own-waits': Record<never, never>
  'early-after-503': { case: string; namedMs: number; waitedMs: number }
  'kept-after-503': { examined: number }
  // What keeps a client from a better grade, beside the breaches above.
  'only-seconds': Record<never, never>
  'immediate-attempt': { case: string; named: string; waitMs: number }
  'zero-taken-as-now': { attempts: number }
  'runs-into-limit': { case: string; refused: number; requests: number }
  'quota-not-exercised': { case: string; sent: number; asked: number }
  'sets-off-ban': { case: string }
  'comes-back-on-huge': { case: string; waitedMs: number }
  'huge-not-shown': Record<never, never>
}

export type ClientCode = keyof ClientFacts & string

/** A conclusion about a client, as data. Its witnesses are ids of arrivals. */
export type ClientFinding = Finding<ClientCode>

/** Anything that happened, by its id. */
interface Witness {
  readonly id: string
}

/** A finding about a client. */
export const clientFinding = <C extends ClientCode>(
  verdict: Verdict,
  code: C,
  facts: ClientFacts[C],
  ...witnesses: readonly Witness[]
): ClientFinding => ({
  verdict,
  code,
  facts: facts as Finding['facts'],
  witnesses: witnesses.map(({ id }) => ({ id })),
})
