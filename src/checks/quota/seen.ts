import { limiterName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger } from '../../evidence/ledger.js'
import { isAdmitted, type Middle, middleOf, steadyShare } from '../../evidence/steady-share.js'
import { count, formatDuration, listInWords } from '../../kit/words.js'
import { mostAdmitted } from '../../oracle/came-back-meanwhile.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { defineCheck } from '../framework/check.js'
import { notTested, observed } from '../framework/finding.js'
import { loadProfiles } from '../framework/loads.js'
import { noLoadOnAnyKey } from '../framework/unplayed.js'

export const algorithm = defineCheck({
  id: 'quota.algorithm',
  promise: 'The report says which limiters explain what the run saw, and the most that was admitted in any minute.',
  clauses: ['QUOTA-8'],
  reads: loadProfiles,
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    if (judged.length === 0) return noLoadOnAnyKey()
    const plans = judged.map((key) => ({
      plan: key.plan,
      limit: key.window.limit,
      windowMs: key.window.windowMs,
      most: mostAdmitted(key),
      models: Object.entries(key.judgement?.explanations ?? {}).flatMap(([name, { verdict }]) =>
        verdict === 'explained' ? [name] : [],
      ),
    }))
    return observed('algorithm-seen', { plans })
  },
  sentences: {
    'algorithm-seen': ({ plans }) =>
      plans
        .map(
          (each) =>
            `${planName(each.plan)} ${each.models.length > 0 ? `counts like ${listInWords(each.models.map(limiterName), 'or')}` : 'counts like no permitted limiter'}; at most ${count(each.most)} were admitted in any ${formatDuration(each.windowMs)} (limit ${count(each.limit)})`,
        )
        .join('; '),
  },
})

/** What the answers of one outcome cost: the median in milliseconds, and how many came in a second. */
type CostOutcome = { readonly count: number; readonly medianMs: number; readonly perSecond: number | null }

/** The profile that puts its loads on one key after the other. */
const profile = 'cost'

/** Loads that are sent as fast as answers come: only these show a throughput. */
const unpaced = ['burst', 'cold-start', profile] as const

/** Fewer answers show no rate; nor does a single wave, which came within the time that one answer takes. */
const leastAnswers = 10

const rounded = (value: number): number => Number(value.toFixed(2))

const perSecondIn = (
  ledgers: readonly Ledger[],
  isMeant: (status: number) => boolean,
  answerUs: number,
): number | null => {
  let [answers, seconds] = [0, 0]
  for (const { rows } of ledgers) {
    const received = Array.from(rows.receivedUs).filter((_, i) => isMeant(rows.status[i]))
    if (received.length < leastAnswers) continue
    const latest = received.reduce((most, us) => Math.max(most, us), Number.NEGATIVE_INFINITY)
    const earliest = received.reduce((least, us) => Math.min(least, us), Number.POSITIVE_INFINITY)
    if (latest - earliest < answerUs) continue
    answers += received.length - 1
    seconds += (latest - earliest) / 1e6
  }
  return seconds > 0 ? Math.round(answers / seconds) : null
}

const costOnKey = ({ ledgers }: Evidence, key: string) => {
  const all = ledgers.filter(({ head }) => head.key === key && unpaced.some((each) => each === head.probe))
  const alone = all.filter(({ head }) => head.probe === profile)
  // Preferred, because requests in flight on other keys cost something too.
  const own = alone.length > 0 ? alone : all
  const outcome = (isMeant: (status: number) => boolean) => {
    const middle = middleOf(own, isMeant)
    const told: CostOutcome = {
      count: middle.count,
      medianMs: rounded(middle.us / 1000),
      perSecond: perSecondIn(own, isMeant, middle.us),
    }
    return { middle, told }
  }
  return { admitted: outcome(isAdmitted), refused: outcome((status) => status === 429) }
}

/** How two medians compare; null if they can't be compared, or if the machine's stalls could explain the difference. */
const shareOf = (one: Middle, other: Middle): number | null => {
  const share = other.us > 0 ? steadyShare(one, other) : null
  return share === null ? null : rounded(share)
}

/** The plan that the scenario calls unlimited, if it was played and was never refused. */
const unlimitedIn = (evidence: Evidence) => {
  const settings = evidence.run.probes.find(({ probe }) => probe === profile)?.settings
  const key = evidence.run.keys.find(({ plan }) => plan === settings?.unlimited)
  if (!key) return null
  const { admitted, refused } = costOnKey(evidence, key.name)
  return refused.told.count === 0 && admitted.told.count >= leastAnswers ? { plan: key.plan, admitted } : null
}

const costInWords = (each: CostOutcome): string =>
  `${each.medianMs} ms at the median${each.perSecond === null ? '' : `, ${count(each.perSecond)} a second`}`

/** How the medians compare, as far as that is known. */
const sharesInWords = (refusing: number | null, serving: number | null, isCompared: boolean): string => {
  const told = [
    ...(refusing === null ? [] : [`refusing takes ${refusing} of that`]),
    ...(serving === null ? [] : [`serving ${serving} of what it takes without a limit`]),
  ]
  if (told.length > 0) return ` (${told.join(', ')})`
  return isCompared ? ' (not compared: this machine stalled for too long meanwhile)' : ''
}

export const cost = defineCheck({
  id: 'quota.cost',
  promise: 'The report says what admitted and refused answers cost: latency and throughput, side by side.',
  clauses: ['QUOTA-8'],
  of: 'petstore',
  reads: unpaced,
  judge(evidence) {
    const unlimited = unlimitedIn(evidence)
    const plans = evidence.run.keys
      .map(({ name, plan }) => ({ plan, ...costOnKey(evidence, name) }))
      .filter(({ admitted, refused }) => admitted.told.count > 0 && refused.told.count > 0)
      .map(({ plan, admitted, refused }) => ({
        plan,
        admitted: admitted.told,
        refused: refused.told,
        refusing: shareOf(refused.middle, admitted.middle),
        serving: unlimited && shareOf(admitted.middle, unlimited.admitted.middle),
      }))
    const base = unlimited && { plan: unlimited.plan, admitted: unlimited.admitted.told }
    return plans.length > 0
      ? observed('cost-of-answers', { plans, unlimited: base })
      : notTested('nothing-to-compare', {})
  },
  sentences: {
    'cost-of-answers': ({ plans, unlimited }) =>
      [
        ...plans.map(
          (each) =>
            `${planName(each.plan)}: admitted ${costInWords(each.admitted)}, refused ${costInWords(each.refused)}${sharesInWords(each.refusing, each.serving, each.admitted.medianMs > 0)}`,
        ),
        ...(unlimited ? [`without a limit (${unlimited.plan}): ${costInWords(unlimited.admitted)}`] : []),
      ].join('; '),
    'nothing-to-compare': () => 'no load at full speed had both admitted and refused answers',
  },
})

/** The profile that uses a key from all machines at once. */
const spreading = 'spread'

/** A type alias, because an interface is not accepted as a fact. */
type Seen = { readonly agent: string; readonly sent: number; readonly admitted: number; readonly refused: number }

const seenBy = ({ head: { origin }, rows }: Ledger): Seen => {
  const count = (isMeant: (status: number) => boolean) =>
    rows.status.reduce((sum, status) => sum + (isMeant(status) ? 1 : 0), 0)
  return {
    agent: origin?.agent ?? '',
    sent: rows.length,
    admitted: count((status) => status >= 200 && status < 300),
    refused: count((status) => status === 429),
  }
}

const plansOf = ({ run, ledgers }: Evidence) =>
  run.keys.flatMap(({ name, plan, quota }) => {
    const spread = ledgers.filter(({ head }) => head.key === name && head.probe === spreading)
    return spread.length === 0 ? [] : [{ plan, limit: quota.limit, seen: spread.map(seenBy) }]
  })

const inWords = ({ plan, limit, seen }: { plan: string; limit: number; seen: readonly Seen[] }): string => {
  const all = seen.reduce((sum, { admitted }) => sum + admitted, 0)
  const parts = seen.map(({ agent, sent, admitted }) => `${count(admitted)} of ${count(sent)} by ${agent}`)
  return `${planName(plan)}: ${count(all)} admitted in all (limit ${count(limit)}), ${listInWords(parts)}`
}

export const vantages = defineCheck({
  id: 'quota.vantages',
  promise: 'If several machines spend one key at once, the report says how many requests of each were admitted.',
  clauses: ['QUOTA-8'],
  reads: [spreading],
  judge(evidence) {
    const plans = plansOf(evidence)
    if (plans.length === 0) return notTested('nothing-spread', {})
    const machines = new Set(plans.flatMap(({ seen }) => seen.map(({ agent }) => agent)))
    return machines.size > 1 ? observed('seen-from-several', { plans }) : observed('seen-from-one', { plans })
  },
  sentences: {
    'seen-from-several': ({ plans }) => plans.map(inWords).join('; '),
    'seen-from-one': ({ plans }) =>
      `one machine sent everything (${plans.map(({ plan, seen }) => `${planName(plan)}: ${count(seen[0].admitted)} of ${count(seen[0].sent)} admitted`).join('; ')}): that cannot show whether other nodes or regions count alone; agents in several places can (--agents)`,
    'nothing-spread': () => 'no key was used from several machines at once',
  },
})
