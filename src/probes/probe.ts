import { z } from 'zod'
import type { Turn } from '../contract/partitions.js'
import type { OperationId } from '../contract/petstore/operations.js'
import type { KeyQuota } from '../contract/plans.js'
import type { ProbeId, StepOf } from '../contract/probe-catalogue.js'
import type { CredentialForm } from '../evidence/credential-forms.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import type { BlockReason, ProbeEnd, SkipReason } from '../evidence/journal.js'
import type { Ledger } from '../evidence/ledger.js'
import type { Random } from '../kit/random.js'
import type { LoadOrder } from '../wire/load/load-order.js'

/** A key of the run: its name, never its secret. */
export interface KeyFacts {
  readonly name: string
  readonly plan: string
  readonly quota: KeyQuota
  /** The credential sent for it, and the request, if a contract's quota counts by something other than `name`. */
  readonly credential?: string
  readonly request?: string
  /** What its loads send in turn; absent where `request` alone can spend it. */
  readonly inTurn?: readonly Turn[]
  /** The most that a load may send at once so that each refusal shows which quota gave it; absent if irrelevant. */
  readonly mostAtOnce?: number
  /** What shorter quotas beside it allow in one of its windows; absent if there are none. */
  readonly mostPerWindow?: number
  /** Whether an even pace below that would hardly spend it in a window: then it is spent in groups, as large as allowed. */
  readonly isSpentInGroups?: boolean
  /** Longer quotas beside it: how much each holds, and within how many of this quota's windows that comes back. */
  readonly longerBeside?: readonly { readonly most: number; readonly windows: number }[]
  /** Other requests that count in the same partition of the quota, each with its cost there. */
  readonly others?: readonly { readonly request: string; readonly cost: number }[]
  /** Other credentials whose same requests count in other quotas only, each with how many requests show that. */
  readonly otherCallers?: readonly { readonly credential: string; readonly requests: number }[]
  /** Whether its upper and lower case are mixed as in no word; absent if it has no letters, or nobody said. */
  readonly letterCase?: 'mixed' | 'plain'
}

/** One request to the target. What is left out has its default. */
export interface Question<Step extends string = string> {
  readonly step: Step
  readonly intent?: Readonly<Record<string, string>>
  readonly operation?: OperationId
  /** A request of the contract file, if the run has one. */
  readonly request?: string
  /** Given if it is no operation of the interface, or an odd spelling of one. */
  readonly method?: string
  readonly path?: string
  readonly petId?: bigint | string
  /** Default: the bearer key that the probe is played on. `none` sends no credential. */
  readonly as?: CredentialForm | 'none'
  /** Another credential of the contract than the key's own. */
  readonly credential?: string
  readonly headers?: readonly HeaderLine[]
  readonly body?: string | Uint8Array
  /** Default for a body: `application/json`; null leaves the header out. */
  readonly contentType?: string | null
}

/** An entry of the inventory as the target last showed it: all digits kept. */
export interface Pet {
  readonly id: bigint
  readonly quantity: bigint
  readonly status: string
}

/** Whether requests change a pet, or leave it as it is because they must not change it, or write what it has. */
export type PetUse = 'changed' | 'kept'

/** A request in the contract's own words: an operation of the bundled interface, or a request of a contract file. */
export type Asked = Pick<Question, 'operation' | 'request'>

/**
 * What a probe may do on a key. All of it is recorded and counted, and ends when the run is interrupted. It takes only
 * questions with these steps; a move that sends none names none.
 */
export interface ProbeContext<in Step extends string = never> {
  readonly key: KeyFacts
  /** Whether this is the key with the most room, on which single exchanges are played. */
  readonly isMain: boolean
  readonly ordinary: Asked
  /** Other ways to ask for what counts against the same quota, by name (QUOTA-6). */
  readonly spellings: Readonly<Record<string, Partial<Question>>>
  readonly hasInventory: boolean
  /** The contexts of the other plans' keys, for a probe that is played together. */
  readonly others: readonly ProbeContext<Step>[]
  readonly keys: readonly KeyFacts[]
  /** The window of the quota that is probed; for the bundled contract, its minute. */
  readonly windowMs: number
  /** The longest wait that a probe of limits sits through: two windows, or a block that the contract names. */
  readonly longestWaitMs: number
  /** How long a refusal blocks the key, by the contract; 0 if it blocks nobody. */
  readonly blockedForMs: number
  /** How long to wait after a refusal that names no wait, by the contract; 0 if each has to name one. */
  readonly unnamedWaitMs: number
  readonly readOnly: boolean
  readonly random: Random
  now(): number
  lastUsedAt(): number
  /** The moment from which this many requests of another credential are within all of its limits. */
  roomOf(credential: string, requests: number): number
  /** The first end of a window after an instant, by the last Reset that a single request got; undefined without one. */
  windowEndAfter(at: number): number | undefined
  /** The two single requests between which the key was last seen to be served again; undefined if it never was. */
  lastReturn(): Return | undefined
  /** Whether some key was served long before the moment that its last refusal named: then waits show no window's end. */
  namesLongWaits(): boolean
  /** Whether some key of the run showed that its limiter weighs the window before, as a sliding counter does. */
  carriesOver(): boolean
  /** Whether some key of the run showed that its quota comes back bit by bit, as a bucket's does, unlike a window's. */
  comesBackInBits(): boolean
  waitUntil(at: number, why: string): Promise<void>
  /** Asks within the limit; after a 429 all the same, waits as told and asks again. */
  readonly ask: (question: Question<Step>) => Promise<Exchange>
  /** Asks at once, without pacing, and takes whatever comes: for probes of limits. */
  readonly askOnce: (question: Question<Step>) => Promise<Exchange>
  /** Reads the inventory. Throws {@link ProbeBlocked} if the answer can't be read. */
  readonly inventory: (step: Step) => Promise<readonly Pet[]>
  /** Whether the inventory, as it was read last, has an entry with this id, be it a readable pet or not. */
  isListed(id: bigint): boolean
  /** The next of these pets in the run's turn for this use. */
  inTurn(pets: readonly Pet[], use: PetUse): Pet
  /** To be called before a PATCH that could change this pet: the run puts it back. */
  willTouch(pet: Pet): void
  /** Puts back every pet that was touched and not put back yet. */
  restore(): Promise<void>
  hintsOf(x: Exchange): LimitHints
  load(plan: LoadPlan): Promise<LoadOutcome>
  /** What this probe's loads had sent on this key before a stopped run was resumed, and the refusals at its end. */
  spentBefore(): { readonly sent: number; readonly refused: number; readonly refusedInRow: number }
  /** The longest round trip seen on this key so far, in milliseconds. */
  longestRoundTripMs(): number
  /** The median of the latest round trips, in milliseconds. */
  usualRoundTripMs(): number
  /** What the key may send in a second, by the run's ceiling or a shorter quota beside it; infinite if unbounded. */
  readonly mostPerSecond: number
  /**
   * Whether the day is short: it has no room for all that the probe may send, so the probe sends only what still tells
   * something. Sending more than the day has room for ends the probe ({@link DayUsedUp}).
   */
  readonly isShort: boolean
  /** Whether the key's day has room for this many more requests of this probe. */
  hasRoom(requests: number): boolean
}

/** When a key was last refused, and when it was served again: the moments when the two requests were sent. */
export interface Return {
  readonly refusedAt: number
  readonly servedAt: number
  /** The moment that the refusal's Retry-After named; absent if it named none. */
  readonly namedAt?: number
}

/** What an answer's headers say about the limit, moments on the run's clock; undefined if they say nothing usable. */
export interface LimitHints {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  /** The latest moment that Reset can mean. */
  readonly resetAt?: number
  /** The moment by which quota is back if Reset is honest, however it is rounded. */
  readonly backBy?: number
  /** The moment from which Retry-After allows a request. */
  readonly retryAt: number | undefined
}

export interface LoadOutcome {
  readonly ledger: Ledger
  readonly refusals: number
  /** The latest moment that their Retry-After headers name; undefined if none names one. */
  readonly retryAt: number | undefined
}

/** The part of a load's order that a probe gives; the run adds the rest, and cuts the amount to the day's room. */
export interface LoadPlan
  extends Pick<LoadOrder, 'id' | 'connections' | 'amount'>,
    Partial<Pick<LoadOrder, 'request' | 'schedule' | 'stop' | 'isSpread'>> {
  /** Fewer requests tell nothing: if the day has room for fewer, the probe ends. Default: 1. */
  readonly least?: number
  /** How many requests the day has to have left after it, for the questions that follow. Default: 0. */
  readonly keeps?: number
  /** Whether each request is recorded by itself, so that a run that was killed can go on. */
  readonly rowByRow?: boolean
}

/** The probe can't be played with what the target or the user has: its clauses are not tested, for this reason. */
export class ProbeSkipped extends Error {
  constructor(
    readonly reason: SkipReason,
    readonly room?: Room,
  ) {
    super(reason)
  }
}

/** The probe could not be played to its end because of what the target answered: its clauses are inconclusive. */
export class ProbeBlocked extends Error {
  constructor(readonly reason: BlockReason) {
    super(reason)
  }
}

/** The key's day has no room for the rest of the probe: it ends here, with what it has seen. */
export class DayUsedUp extends Error {
  constructor(readonly room: Room) {
    super('day-too-small')
  }
}

/** What a probe would have needed of a key's day, and what was left of it. */
export type Room = NonNullable<ProbeEnd['room']>

/** The most requests that a probe sends: on each key that it is played on, and without a valid key. */
export interface Cost {
  readonly keyed: number
  readonly strangers: number
  /** How many of the strangers carry the whole key, in a form that is not the interface's: a target may count those. */
  readonly strangersWithKey?: number
  /** How many windows of a minute it takes, waits included; an upper bound, for `plan` and the run's time limit. */
  readonly minutes: number
}

export interface Probe<Settings = Readonly<Record<string, unknown>>> {
  readonly id: string
  readonly summary: string
  /**
   * `once`: on the key with most room. `each-plan`: on the first key of every plan, all at the same time. `each-key`:
   * on every key, before anything else goes on. `together`: once, with the first key of every plan at hand. `all-keys`:
   * the same, with every further key of a plan at hand as well.
   */
  readonly played: 'once' | 'each-plan' | 'each-key' | 'together' | 'all-keys'
  /** Each setting with its default, its bounds and a description: schema and reference are made from it. */
  readonly settings: z.ZodObject
  /** Whether it puts loads on keys. Away from loopback, the user has to allow that. */
  readonly isLoad?: boolean
  /** Whether it spends the day of its keys on purpose; no other load may. */
  readonly spendsDay?: boolean
  /** How many pets it may leave changed at once, to be put back after it. Default: 2. */
  readonly leavesChanged?: number
  /** `keys` are all that the run has. */
  cost(key: KeyFacts, settings: Settings, keys: readonly KeyFacts[]): Cost
  /** The fewest requests that still tell something, if the key's day is short. Absent: it can't be played smaller. */
  least?(key: KeyFacts, settings: Settings, keys: readonly KeyFacts[]): number
  play(context: ProbeContext<string>, settings: Settings): Promise<void>
}

type SettingsOf<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>

/** A probe as its file gives it, without what has a default: costs of 0, no settings, played once. */
interface WrittenProbe<Id extends ProbeId, S extends z.ZodRawShape>
  extends Omit<Probe<SettingsOf<S>>, 'played' | 'settings' | 'cost' | 'play'>,
    Partial<Pick<Probe, 'played'>> {
  readonly id: Id
  readonly settings?: S
  play(context: ProbeContext<StepOf<Id>>, settings: SettingsOf<S>): Promise<void>
  cost(...of: Parameters<Probe<SettingsOf<S>>['cost']>): Pick<Cost, 'keyed'> & Partial<Cost>
}

/** Defines a probe: its settings have the type that their schema gives them, and its steps are those of the catalogue. */
export const defineProbe = <Id extends ProbeId, S extends z.ZodRawShape = Record<never, never>>(
  probe: WrittenProbe<Id, S>,
): Probe => ({
  played: 'once',
  ...probe,
  settings: z.strictObject(probe.settings ?? {}),
  cost: (key, settings, keys) => ({ strangers: 0, minutes: 0, ...probe.cost(key, settings as SettingsOf<S>, keys) }),
})

/** Defines a probe that puts loads on the first key of every plan. */
export const defineLoad: typeof defineProbe = (probe) => defineProbe({ played: 'each-plan', isLoad: true, ...probe })
