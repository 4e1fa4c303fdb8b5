import { type ApiContract, fieldsShowing, type QuotaSpec, type RefusalRule } from './api-contract.js'
import { type KeyQuota, noLongerLimit } from './plans.js'

/** A quota as a target at a time scale shows it: its window is that much shorter. */
export const atScale = (quota: QuotaSpec, timeScale: number): QuotaSpec => ({
  ...quota,
  windowMs: quota.windowMs / timeScale,
})

type Fields = Pick<ApiContract, 'headers'> & Partial<Quotas>

/** The contract as one of its quotas sees it: without the fields that tell of another, and with what shows that they do. */
export const contractForQuota = <T extends Fields>(contract: T, quota: QuotaSpec) => {
  const { headers, quotas = [] } = contract
  const isSaid = headers.some((each) => each.quota !== undefined)
  const beside = isSaid ? [] : quotasBeside({ quotas }, quota).flatMap(({ limit }) => Object.values(limit))
  const own = Object.values(quota.limit)
  const isUnclear = beside.some((each) => own.includes(each)) || fieldsShowing({ headers }, 'limit').length === 0
  return {
    ...contract,
    headers: headers.filter((each) => each.quota === undefined || each.quota === quota.id),
    /** Where the contract does not say of which quota its fields are: of 10 in 3 s beside 25 in 9 s, a 25 shows the second. */
    limitsBeside: new Set(beside.filter((each) => !own.includes(each) && each !== quota.burst)),
    /** Whether neither the contract nor a Limit tells of which quota the fields are. */
    areOfAnyQuota: beside.length > 0 && isUnclear,
  }
}

/** What a quota that counts by address counts by, whoever asks. */
const address = 'address'

type Counting = Pick<QuotaSpec, 'by'>

/** Whether it matters to a quota where a request comes from, and not which credential it shows. */
export const countsByAddress = ({ by }: Counting): boolean => by === address || by === 'address+request'

/** Whether each request has a count of its own in a quota. */
export const countsByRequest = ({ by }: Counting): boolean => by.endsWith('+request')

/** What a request is counted by, as a name of letters, digits and hyphens: its credential or the address that it comes from, and the request where that counts too. */
export const partitionOf = (quota: Counting, credential: string, request: string): string => {
  const caller = countsByAddress(quota) ? address : credential
  return countsByRequest(quota) ? `${caller}--${request}` : caller
}

/** Whether a request counts against a quota: it is one of its own, and the credential has a limit in it. */
export const countsAgainst = ({ limit, requests }: QuotaSpec, credential: string, request: string): boolean =>
  Object.hasOwn(limit, credential) && requests.includes(request)

/** How long a quota takes to be whole again: a bucket of 40 that gets 2 a second back is a limit of 40 in 20 s. */
export const windowOfQuota = ({ windowMs, burst, limit }: QuotaSpec, timeScale: number): number => {
  const rate = Math.max(...Object.values(limit))
  return (burst === undefined ? windowMs : (windowMs * burst) / rate) / timeScale
}

/** One thing that a quota counts by, with what to send that counts against it. */
interface Partition {
  readonly name: string
  readonly credential: string
  readonly request: string
  /** The most that can be admitted at once. */
  readonly most: number
}

export interface Turn {
  readonly credential: string
  readonly request: string
}

/** What a credential sends where a quota's first request can spend it. */
export const firstTurn = ({ requests }: Pick<QuotaSpec, 'requests'>, credential: string): readonly Turn[] => [
  { credential, request: requests[0] },
]

/** Whether the request that rows and loads are made of costs one, whatever others cost. */
export const ordinaryCostsOne = (quota: QuotaSpec): boolean =>
  (countsByRequest(quota) ? quota.requests : quota.requests.slice(0, 1)).every(
    (request) => (quota.cost[request] ?? 1) === 1,
  )

/** The partitions of a quota, of these credentials: one for all that come from an address, else one or more for each. */
const partitionsOf = (quota: QuotaSpec, credentials: readonly string[]): Partition[] => {
  const found = new Map<string, Partition>()
  for (const credential of credentials) {
    if (!Object.hasOwn(quota.limit, credential)) continue
    for (const request of quota.requests) {
      const name = partitionOf(quota, credential, request)
      if (!found.has(name)) found.set(name, { name, credential, request, most: quota.burst ?? quota.limit[credential] })
    }
  }
  return [...found.values()]
}

/** So many other requests of a quota are tried at most: each takes two windows. */
const mostOthers = 3

const othersIn = (quota: QuotaSpec, { credential, name, request }: Omit<Partition, 'most'>) =>
  quota.requests
    .filter((other) => other !== request && partitionOf(quota, credential, other) === name)
    .slice(0, mostOthers)
    .map((other) => ({ request: other, cost: quota.cost[other] ?? 1 }))

/** What a quota allows a credential in each of its own windows. At one address credentials may share the lowest limit. */
const limitOf = (quota: QuotaSpec, credential: string): number => {
  const { limit } = quota
  const isOwn = !countsByAddress(quota) && Object.hasOwn(limit, credential)
  return isOwn ? limit[credential] : Math.min(...Object.values(limit))
}

/** Who counts for itself in a quota, of what is sent in turn: each credential with its limit. */
const limitsAmong = (quota: QuotaSpec, turns: readonly Turn[]): number[] => [
  ...new Map(
    turns.map(({ credential, request }) => [partitionOf(quota, credential, request), limitOf(quota, credential)]),
  ).values(),
]

/** The most of a quota that requests sent in turn can spend in one window, limited by the other quotas. */
const mostOfAll = (contract: Quotas, quota: QuotaSpec, turns: readonly Turn[]): number => {
  const lengthMs = windowOfQuota(quota, 1)
  const allowed = quotasBeside(contract, quota)
    .filter((other) => turns.every(({ credential, request }) => countsAgainst(other, credential, request)))
    .map((other) =>
      limitsAmong(other, turns).reduce((sum, limit) => {
        const most = Math.max(other.burst ?? limit, (limit * lengthMs) / other.windowMs)
        return sum + Math.floor(most)
      }, 0),
    )
  return Math.min(Number.POSITIVE_INFINITY, ...allowed)
}

/** What counts in a partition and costs as much as its first request: by its own credential first, then by those that share it. */
const alike = (
  quota: QuotaSpec,
  { name, credential, request }: Pick<Partition, 'name' | 'credential' | 'request'>,
  credentials: readonly string[],
): Turn[] =>
  [credential, ...credentials.filter((each) => each !== credential && Object.hasOwn(quota.limit, each))].flatMap(
    (each) =>
      quota.requests
        .filter((other) => partitionOf(quota, each, other) === name && quota.cost[other] === quota.cost[request])
        .map((other) => ({ credential: each, request: other })),
  )

/** As much, sent in turn, as goes beyond a partition's limit; the first request alone where that does, or none do. */
const inTurnFor = (
  contract: Quotas,
  quota: QuotaSpec,
  partition: Partition,
  credentials: readonly string[],
): readonly Turn[] => {
  const all = alike(quota, partition, credentials)
  const enough = all.findIndex((_, at) => mostOfAll(contract, quota, all.slice(0, at + 1)) > partition.most)
  return all.slice(0, Math.max(1, enough + 1))
}

/** The limits of a quota that no mix of its requests can spend in one window, each with the most that one can. */
export const beyondReach = (contract: Quotas, quota: QuotaSpec): { readonly limit: number; readonly most: number }[] =>
  partitionsOf(quota, Object.keys(quota.limit)).flatMap((partition) => {
    const most = mostOfAll(contract, quota, alike(quota, partition, Object.keys(quota.limit)))
    return most < partition.most ? [{ limit: partition.most, most }] : []
  })

/** A partition as a key that has the quota for itself: `free`, or `free (core)` where the contract has several quotas. */
interface QuotaKey extends Omit<Partition, 'most'> {
  readonly plan: string
  readonly quota: KeyQuota
  /** What loads send in turn, where the quotas beside keep the first request from spending it alone. */
  readonly inTurn?: readonly Turn[]
  /**
   * The most that a load may send at once if each refusal is to tell which quota gave it: the rows of a load keep no more
   * than what answers show of its own quota.
   */
  readonly mostAtOnce?: number
  /** Other requests that count in it, each with what it costs. */
  readonly others: readonly { readonly request: string; readonly cost: number }[]
}

export const quotaKeys = (contract: ApiContract, quota: QuotaSpec, credentials: readonly string[]): QuotaKey[] =>
  partitionsOf(quota, credentials).map((partition) => {
    const { name, credential, request, most } = partition
    const inTurn = inTurnFor(contract, quota, partition, credentials)
    // What is left of it is for the questions that follow.
    const mostAtOnce = Math.floor((most + mostOfAll(contract, quota, inTurn)) / 2)
    const isUntold =
      fieldsShowing(contractForQuota(contract, quota), 'remaining').length === 0 &&
      mostAtOnce > most &&
      Number.isFinite(mostAtOnce)
    return {
      name,
      plan: contract.quotas.length > 1 ? `${name} (${quota.id})` : name,
      quota: { limit: most, longer: noLongerLimit },
      credential,
      request,
      ...(inTurn.length > 1 && { inTurn }),
      ...(isUntold && { mostAtOnce }),
      others: othersIn(quota, partition),
    }
  })

interface Quotas {
  readonly quotas: readonly QuotaSpec[]
}

/** The quotas that a request for this one counts against too. */
export const quotasBeside = ({ quotas }: Quotas, quota: QuotaSpec): QuotaSpec[] =>
  quotas.filter(
    (other) =>
      other.id !== quota.id &&
      other.requests.some((request) => quota.requests.includes(request)) &&
      Object.keys(other.limit).some((credential) => Object.hasOwn(quota.limit, credential)),
  )

const besides =
  (isMeant: (otherMs: number, ms: number) => boolean) =>
  (contract: Quotas, quota: QuotaSpec, credential: string, request: string): QuotaSpec[] =>
    quotasBeside(contract, quota).filter(
      (other) => isMeant(windowOfQuota(other, 1), windowOfQuota(quota, 1)) && countsAgainst(other, credential, request),
    )

/** Those of them with longer windows against which this request counts, and those with shorter ones. */
export const longerThan = besides((otherMs, ms) => otherMs > ms)
export const shorterThan = besides((otherMs, ms) => otherMs < ms)

/** The most that a partition of a quota admits at once: the lowest limit of those that share it. */
export const mostAtOnceIn = (quota: QuotaSpec, partition: string): number => {
  const limits = Object.entries(quota.limit)
    .filter(([credential]) => quota.requests.some((each) => partitionOf(quota, credential, each) === partition))
    .map(([, limit]) => limit)
  return quota.burst ?? Math.min(...limits)
}

/**
 * How many requests sent in turn the shorter quotas allow in one window of this one, whatever the time scale: 10 in
 * 2 s are 60 in 12 s, and twice as much of two requests that each have a count there. Infinity where none is shorter.
 */
export const mostBeside = (contract: ApiContract, quota: QuotaSpec, inTurn: readonly Turn[]): number => {
  const lengthMs = windowOfQuota(quota, 1)
  const allowed = quotasBeside(contract, quota)
    .filter((other) => windowOfQuota(other, 1) < lengthMs)
    .map((other) => (limitsAmong(other, inTurn).reduce((sum, limit) => sum + limit, 0) * lengthMs) / other.windowMs)
  return Math.min(Number.POSITIVE_INFINITY, ...allowed)
}

/** The longest time for which a refusal blocks by any rule, or by any of a kind, in milliseconds; 0 where none does. */
export const longestBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>, kind?: RefusalRule['is']): number =>
  refusals.reduce(
    (most, { is, lastsMs = 0 }) => (kind === undefined || is === kind ? Math.max(most, lastsMs) : most),
    0,
  )

/** For how long a quota's refusal blocks whoever was refused, in milliseconds, where each says the same; else undefined. */
export const agreedBlockMs = ({ refusals }: Pick<ApiContract, 'refusals'>): number | undefined => {
  const lasting = new Set(refusals.flatMap(({ is, lastsMs }) => (is === 'quota' ? [lastsMs] : [])))
  const [only] = lasting
  return lasting.size === 1 ? only : undefined
}
