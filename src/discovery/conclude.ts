import type { ApiContract, HeaderField, QuotaSpec, RefusalRule } from '../contract/api-contract.js'
import { headerPresets, type PresetName, presetNames } from '../contract/header-presets.js'
import { listInWords } from '../kit/words.js'
import { limitReader } from '../readings/answers.js'
import { numberOf, type Policy, readRetryAfter, valuesByName } from '../readings/limit-values.js'
import { namedPolicies, type PolicyOwner, unnamedPolicies } from '../readings/policies.js'
import type { Concluded, Discovered, DiscoveredQuota } from './discovered.js'
import { areShared, costOf, type Step, type Stream, type Switch, stepsOf } from './remaining-steps.js'
import { chosenFields, plain, type SeenAnswer, seenFields } from './seen-fields.js'
import { windowOf } from './window-of.js'

interface Ground {
  readonly answers: readonly SeenAnswer[]
  readonly fields: readonly HeaderField[]
  readonly stem: string
  readonly wallStartMs: number
}

const policiesIn = ({ answers, fields }: Ground): readonly Policy[] => {
  const holder = fields.find(({ is }) => is === 'draft-07-policy' || is === 'draft-11-policy')
  if (!holder) return []
  const read = holder.is === 'draft-11-policy' ? namedPolicies : unnamedPolicies
  for (const { headers } of answers) {
    const policies = read(valuesByName(headers).get(holder.name.toLowerCase()) ?? [])
    if (policies) return policies.filter(({ unit }) => unit === 'requests')
  }
  return []
}

const ownerOf = (policy: Policy | undefined): PolicyOwner => {
  const windowMs = policy?.window === undefined ? Number.NaN : policy.window * 1000
  return { windowMs, limit: {}, ...(policy?.name === undefined ? {} : { policy: policy.name }) }
}

const asks =
  (probe: string, credential: string | null): Stream =>
  (answer) =>
    answer.probe === probe && answer.credential === credential

/** A switch in words: `search showed 17 left, right after items had shown 18`. */
const inWords = ({ from, to, own }: Switch, named: (step: Step) => string): string => {
  const before = own === undefined ? '' : `, and ${named(own)} ${plain(own.remaining)} before that`
  return `${named(to)} showed ${plain(to.remaining)} left, after ${named(from)} had shown ${plain(from.remaining)}${before}`
}

/** Splits probes into those counted together with the first, those that are not, and those that stay unclear. */
const cluster = (steps: readonly Step[], probes: readonly string[], credential: string | null, unknown: string[]) => {
  const [first, ...others] = probes
  const together = [first]
  const alone: string[] = []
  const because: string[] = []
  for (const probe of others) {
    const told = areShared(steps, asks(first, credential), asks(probe, credential))
    if (!told) {
      unknown.push(`whether ${probe} counts against the same quota as ${first}: no answer shows it`)
      continue
    }
    because.push(inWords(told.seen, ({ answer }) => answer.probe))
    ;(told.shared ? together : alone).push(probe)
  }
  return { together, alone, because: because.join('; ') || `${first} shows it` }
}

const limitOf = (steps: readonly Step[], credentials: readonly (string | null)[], policy?: Policy) => {
  const limits: Record<string, number> = {}
  const because: string[] = []
  for (const credential of credentials) {
    const shown = steps.filter(({ answer }) => answer.credential === credential).flatMap(({ limit }) => limit ?? [])
    const limit = shown.at(-1) ?? (policy && numberOf(policy.quota))
    if (limit === undefined) continue
    // Callers without a credential have that name in the file.
    const name = credential ?? 'anon'
    limits[name] = limit
    const varied = new Set(shown).size > 1 ? `, and ${[...new Set(shown)].join(', ')} in all: it varies` : ''
    because.push(`answers to ${name} showed a limit of ${plain(limit)}${varied}`)
  }
  return because.length === 0 ? undefined : { is: limits, because: because.join('; ') }
}

const costsOf = (steps: readonly Step[], probes: readonly string[], credential: string | null, unknown: string[]) => {
  const cost: Record<string, number> = {}
  const because: string[] = []
  for (const probe of probes) {
    const fell = costOf(steps, asks(probe, credential))
    if (fell === undefined) unknown.push(`what a request of ${probe} costs: no two answers in a row show it`)
    else if (fell === 0) unknown.push(`what a request of ${probe} costs: Remaining did not fall with it`)
    else if (Number.isInteger(fell) && fell !== 1) {
      cost[probe] = fell
      because.push(`Remaining fell by ${fell} with each request of ${probe}`)
    }
  }
  return because.length === 0 ? undefined : { is: cost, because: because.join('; ') }
}

const callerIn = ({ answer: { credential } }: Step): string =>
  credential === null ? 'a call without it' : credential === 'key' ? 'the credential' : `the credential ${credential}`

const fall = (seen: Switch): string => inWords(seen, callerIn)

const countedBy = (
  steps: readonly Step[],
  probe: string,
  credentials: readonly (string | null)[],
  apart: readonly string[],
  unknown: string[],
): Concluded<QuotaSpec['by']> => {
  const [given] = credentials
  if (given === null) {
    unknown.push('whether credentials have a count of their own: none was given')
    return countedByAddress
  }
  if (apart.length > 0) {
    const words = `${listInWords([probe, ...apart])} have the same limit, and Remaining of each falls only with its own requests`
    return { is: 'credential+request', because: words }
  }
  const others = credentials.filter((each) => each !== given)
  if (others.length === 0) {
    unknown.push('whether two credentials have a count of their own: only one was used')
    return { is: 'credential', because: 'the usual case; one credential alone does not show it' }
  }
  const told = others.flatMap((other) => areShared(steps, asks(probe, given), asks(probe, other)) ?? [])
  const parted = told.find(({ shared }) => !shared)
  const joined = told.find(({ shared }) => shared)
  const isOfCredentials = others.some((each) => each !== null)
  if (joined && isOfCredentials)
    unknown.push(
      `whether the credentials belong to one caller: ${fall(joined.seen)}, as if one caller or one address sent both`,
    )
  if (parted) return { is: 'credential', because: `${fall(parted.seen)}: they are counted separately` }
  if (joined) return { is: 'address', because: `${fall(joined.seen)}: they are counted together` }
  const whose = isOfCredentials ? 'of two callers' : 'with and without the credential'
  unknown.push(`whether requests ${whose} are counted together`)
  return { is: 'credential', because: 'the usual case; the answers do not show it' }
}

const idOf = (policy: Policy | undefined, fallback: string): string => {
  const name = policy?.name
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '')
    .slice(0, 40)
  return name || fallback
}

/** What is known about an unknown window: its minimum length. */
const windowAtLeast = (steps: readonly Step[]): string => {
  const ahead = steps.flatMap(({ aheadS }) => (aheadS === undefined ? [] : [aheadS]))
  const most = Math.max(...ahead)
  if (ahead.length === 0 || most <= 0) return 'no answer says when it renews'
  return `Reset was at most ${plain(most)} s ahead, so the window is about that long, or longer`
}

const quotaOf = (
  ground: Ground,
  policy: Policy | undefined,
  probes: readonly string[],
  id: string,
  unknown: string[],
) => {
  const { answers, fields, stem, wallStartMs } = ground
  const mine = answers.filter(({ probe }) => probes.includes(probe))
  const steps = stepsOf(mine, limitReader({ headers: [...fields] }, ownerOf(policy)), wallStartMs)
  const credentials = [...new Set(mine.map(({ credential }) => credential))].filter(
    (credential) => credential !== null || steps.some(({ answer }) => answer.credential === null),
  )
  const [given = null] = credentials
  const { together, alone, because } = cluster(steps, probes, given, unknown)
  const joint = steps.filter(({ answer }) => together.includes(answer.probe))
  const own = joint.filter(({ answer }) => answer.credential === given)
  const cost = costOf(steps, asks(together[0], given)) ?? 1
  const limit = limitOf(joint, credentials, policy)
  const windowMs = windowOf(own, { policyS: policy?.window, stem, cost })
  if (!windowMs) unknown.push(`the window of ${id}: ${windowAtLeast(own)}`)
  if (!limit) unknown.push(`the limit of ${id}: no answer shows it`)
  const quota: ButBy = {
    id,
    limit,
    windowMs,
    requests: { is: together, because },
    cost: costsOf(steps, together, given, unknown),
    policy: policy?.name === undefined ? undefined : { is: policy.name, because: `RateLimit-Policy names it` },
  }
  return { quota, alone, by: (apart: readonly string[]) => countedBy(steps, together[0], credentials, apart, unknown) }
}

type ButBy = Omit<DiscoveredQuota, 'by'>

/** Whether two quotas look the same but for what is left of them. */
const alike = ({ limit: one, windowMs }: ButBy, { limit: other, windowMs: otherMs }: ButBy): boolean => {
  if (!one || !other || (windowMs && otherMs && windowMs.is !== otherMs.is)) return false
  return Object.entries(other.is).every(([name, limit]) => one.is[name] === limit)
}

/** The quotas that responses show: one for each policy that they name, and one for each probe with its own count. */
const concludeQuotas = (ground: Ground, probes: readonly string[], unknown: string[]): DiscoveredQuota[] => {
  const policies = policiesIn(ground)
  const sources: readonly (Policy | undefined)[] = policies.length === 0 ? [undefined] : policies
  return sources.flatMap((policy, at) => {
    const id = idOf(policy, at === 0 ? 'core' : `core-${at + 1}`)
    const first = quotaOf(ground, policy, probes, id, unknown)
    const others = first.alone.map((probe) => quotaOf(ground, policy, [probe], `${id}-${probe}`, []))
    const apart = others.filter(({ quota }) => alike(first.quota, quota))
    if (apart.length > 0 && apart.length === others.length && first.quota.requests.is.length === 1) {
      const together = [...first.quota.requests.is, ...first.alone]
      return [{ ...first.quota, by: first.by(first.alone), requests: { ...first.quota.requests, is: together } }]
    }
    return [{ ...first.quota, by: first.by([]) }, ...others.map(({ quota }) => ({ ...quota, by: first.by([]) }))]
  })
}

const slot = ({ name, is, as }: HeaderField): string => `${name.toLowerCase()} ${is} ${as ?? ''}`

const presetOf = (fields: readonly HeaderField[]): PresetName | undefined => {
  const slots = fields.map(slot).sort().join()
  return presetNames.find((name) => headerPresets[name].map(slot).sort().join() === slots)
}

const refusing = (fields: readonly HeaderField[]) => {
  const left = fields.find(({ is }) => is === 'remaining')
  return ({ status, headers }: SeenAnswer): RefusalRule | undefined => {
    if (status === 429) return { is: 'quota', status: [429], when: {} }
    if (status !== 403 && status !== 503) return undefined
    const isSpent = left && valuesByName(headers).get(left.name.toLowerCase())?.join() === '0'
    return isSpent ? { is: 'quota', status: [status], when: { [left.name.toLowerCase()]: '0' } } : undefined
  }
}

/** The default for an API that never refused a request. */
export const neverRefused: Pick<Discovered, 'refusals' | 'retryAfter'> = {
  refusals: {
    is: [{ is: 'quota', status: [429], when: {} }],
    because: 'no request was refused; RFC 6585 defines 429 for refusals',
  },
  retryAfter: {
    is: { as: ['seconds', 'http-date'], level: 'observe' },
    because: 'no request was refused: quotaspec only reports waits until you set level: must, or write none',
  },
}

export const countedByAddress: Concluded<QuotaSpec['by']> = {
  is: 'address',
  because: 'only the address distinguishes callers without a credential',
}

const concludeRefusals = (answers: readonly SeenAnswer[], fields: readonly HeaderField[], unknown: string[]) => {
  const ruleOf = refusing(fields)
  const refusal = answers.find(ruleOf)
  const rule = refusal && ruleOf(refusal)
  if (!rule) {
    unknown.push('what a refusal looks like, and whether it names a wait: nothing was refused')
    return neverRefused
  }
  const wait = readRetryAfter(refusal.headers)
  const retryAfter: Concluded<ApiContract['retryAfter']> =
    wait.form === 'seconds' || wait.form === 'date'
      ? {
          is: { as: [wait.form === 'seconds' ? 'seconds' : 'http-date'], level: 'must' },
          because: `the ${refusal.status} in the answers named a wait`,
        }
      : { is: null, because: `the ${refusal.status} in the answers named no readable wait` }
  const nth = answers.indexOf(refusal) + 1
  return { refusals: { is: [rule], because: `request ${nth} was answered ${refusal.status}` }, retryAfter }
}

const anonymousOf = (answers: readonly SeenAnswer[]): Discovered['anonymous'] => {
  const anonymous = answers.find(({ credential }) => credential === null)
  if (!anonymous || answers.every(({ credential }) => credential === null)) return undefined
  const { status } = anonymous
  const because = `a request without the credential was answered ${status}`
  return { is: status >= 200 && status <= 299 ? 'served' : 'turned away', because }
}

/** Concludes from responses what an API's quotas are, with evidence and open questions. `probes`: by weight. */
export const conclude = (
  answers: readonly SeenAnswer[],
  wallStartMs: number,
  probes: readonly string[],
): Discovered => {
  const unknown: string[] = []
  const { groups, unclear } = seenFields(answers, wallStartMs)
  const { stem, fields } = chosenFields(groups, answers, unknown)
  const plainFields = fields.map(({ field }) => field)
  for (const each of unclear) unknown.push(`what this field says: ${each}`)
  const ended = concludeRefusals(answers, plainFields, unknown)
  const anonymous = anonymousOf(answers)
  const counted = answers.filter(({ credential }) => credential !== null || anonymous?.is !== 'turned away')
  const quotas = concludeQuotas({ answers: counted, fields: plainFields, stem, wallStartMs }, probes, unknown)
  if (fields.length === 0) unknown.push('anything about the quota: no response header shows one')
  return { preset: presetOf(plainFields), fields, ...ended, anonymous, quotas, unknown: [...new Set(unknown)] }
}
