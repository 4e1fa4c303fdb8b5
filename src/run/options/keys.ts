import { type KeyQuota, keyQuotaOf } from '../../contract/key-quota.js'
import { fixedQuotas, type PlanName, planNames, type Quota } from '../../contract/plans.js'
import { canHide } from '../../evidence/redaction/redaction.js'
import { UsageError } from '../../kit/usage-error.js'

export interface GivenKey<Plan extends string = string> {
  /** `free`, and `free-2` for a second one of the plan. */
  readonly name: string
  readonly plan: Plan
  readonly quota: KeyQuota
  readonly secret: string
  /** The environment variable that it came from; null: it was given by a flag or in a file. */
  readonly variable: string | null
}

const isPlan = (text: string): text is PlanName => (planNames as readonly string[]).includes(text)

/** Reads `free=SECRET`. The secret never stands in an error. */
const parseKey = (text: string): { plan: PlanName; secret: string } => {
  const at = text.indexOf('=')
  const plan = at < 0 ? '' : text.slice(0, at)
  if (!isPlan(plan)) {
    throw new UsageError(
      `--key takes PLAN=SECRET, where PLAN is ${planNames.join(', ')}: for example --key free=YOUR-KEY`,
    )
  }
  return { plan, secret: text.slice(at + 1) }
}

/** A run also sends a key without its last character (AUTH-4), and that is to be kept out of the report too. */
const shortestKey = 5

const checkSecret = (plan: PlanName, secret: string): void => {
  if (!canHide(secret, shortestKey) || !canHide(secret.slice(0, -1))) {
    throw new UsageError(
      `the ${plan} key is shorter than ${shortestKey} characters: it could not be kept out of the report`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new UsageError(
      `the ${plan} key holds a blank, a control or a non-ASCII character, which no header can carry: check how it was quoted`,
    )
  }
}

/** Reads `enterprise=minute:300,day:5000`. */
export const parseEnterpriseQuota = (texts: readonly string[]): Quota | undefined => {
  let quota: Quota | undefined
  for (const text of texts) {
    const match = /^(\w+)=minute:(\d+),day:(\d+)$/.exec(text)
    if (!match)
      throw new UsageError(`--quota ${text}: type enterprise=minute:300,day:5000, with the numbers that were agreed`)
    const [, plan, minute, day] = match
    if (plan !== 'enterprise') {
      throw new UsageError(
        `--quota ${text}: only the Enterprise quota is agreed; those of ${Object.keys(fixedQuotas).join(', ')} are fixed by the interface`,
      )
    }
    quota = { minute: Number(minute), day: Number(day) }
    if (quota.minute < 1 || quota.day < 1) throw new UsageError(`--quota ${text}: a limit is at least 1`)
  }
  return quota
}

/**
 * Whether upper case follows lower case within a part of a key: whoever issues such keys tells the cases apart. A
 * capitalised word, or the digits of a hash, may well be read either way. Undefined where there are no letters.
 */
export const letterCaseOf = (secret: string): 'mixed' | 'plain' | undefined => {
  if (!/[a-z]/i.test(secret)) return undefined
  return /[a-z][a-z0-9]*[A-Z]/.test(secret) ? 'mixed' : 'plain'
}

/** The keys from flags and from QUOTASPEC_KEY_FREE and its like; a flag goes before the environment. */
export const givenKeys = (
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  enterprise: Quota | undefined,
): GivenKey<PlanName>[] => {
  const fromFlags = flags.map((each) => ({ ...parseKey(each), variable: null }))
  const fromEnvironment = planNames.flatMap((plan) => {
    const variable = `QUOTASPEC_KEY_${plan.toUpperCase()}`
    const secret = environment[variable]
    return secret && !fromFlags.some((key) => key.plan === plan) ? [{ plan, secret, variable }] : []
  })
  const all = [...fromFlags, ...fromEnvironment]
  const seen = new Map<PlanName, number>()
  const twice = all.find((key, index) => all.findIndex(({ secret }) => secret === key.secret) !== index)
  if (twice)
    throw new UsageError(
      `one and the same key was given twice, the second time for ${twice.plan}: give each plan its own`,
    )
  return all.map(({ plan, secret, variable }) => {
    checkSecret(plan, secret)
    const number = (seen.get(plan) ?? 0) + 1
    seen.set(plan, number)
    const quota = plan === 'enterprise' ? enterprise : fixedQuotas[plan]
    if (!quota) {
      throw new UsageError(
        'an Enterprise key needs its agreed numbers: add --quota enterprise=minute:300,day:5000, with yours',
      )
    }
    return { name: number === 1 ? plan : `${plan}-${number}`, plan, quota: keyQuotaOf(quota), secret, variable }
  })
}
