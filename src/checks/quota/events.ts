import type { EventPromise } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName } from '../../contract/plans.js'
import { count, counted, formatDuration, listInWords } from '../../kit/words.js'
import { certainEffects, eventEffects } from '../../oracle/event-effects.js'
import { defineCheck } from '../framework/check.js'
import { fail, inconclusive, notTested, observed, pass } from '../framework/finding.js'
import { loadProfiles } from '../framework/loads.js'

/** What an event did, as facts. */
export const effectOf = ({ event, outageMs, keys }: ReturnType<typeof eventEffects>[number]) => ({
  name: event.name,
  outageMs: outageMs === null ? null : Math.round(outageMs),
  plans: keys.map(({ plan, limit, more, failed }) => ({
    plan,
    limit,
    least: more?.least ?? null,
    most: more?.most ?? null,
    failed,
  })),
})
type Effect = ReturnType<typeof effectOf>

/** How many more: a number, or the range that the remaining ways of counting do not narrow further. */
const rangeInWords = (least: number, most: number): string => {
  if (least === 0) return most === 0 ? 'no' : `up to ${count(most)}`
  return least >= most ? count(most) : `${count(least)} to ${count(most)}`
}

/** How many more were admitted apart from requests that got no answer, and how many with those at most. */
const moreInWords = ({ plan, limit, least, most, failed }: Effect['plans'][number]): string => {
  const [from, to] = [least ?? 0, most ?? 0]
  const without = Math.max(from, to - failed)
  const more = `${rangeInWords(from, without)}${without === 0 ? '' : ` of ${count(limit)}`} more were admitted (${planName(plan)})`
  return without === to ? more : `${more}, or up to ${count(to)} with ${counted(failed, 'failed answer')}`
}

const admittedInWords = ({ plans }: Effect): string[] => {
  const told = plans.filter(({ most }) => most !== null && most > 0).map(moreInWords)
  const untold = plans.filter(({ most }) => most === null).map(({ plan }) => planName(plan))
  const kept = plans.filter(({ most }) => most === 0).map(({ plan }) => planName(plan))
  return [
    ...told,
    ...(kept.length > 0 ? [`no more were admitted (${listInWords(kept)})`] : []),
    ...(untold.length > 0
      ? [
          `its effect on the count is unknown (${listInWords(untold)}): no way of counting explains the answers before and after it`,
        ]
      : []),
    ...(plans.length === 0 ? ['no quota was in use then'] : []),
  ]
}

/** `restart: up to 41 of 60 more were admitted (Free); answers failed for 0.8 s`. */
export const effectInWords = (effect: Effect): string => {
  const { name, outageMs } = effect
  const outage = outageMs === null ? [] : [`answers failed for ${formatDuration(outageMs)}`]
  return `${name}: ${[...admittedInWords(effect), ...outage].join('; ')}`
}

export const eventsSeen = defineCheck({
  id: 'quota.events',
  promise:
    'The report says what each event of the scenario did: how many more were admitted, and for how long answers failed.',
  clauses: ['QUOTA-8'],
  reads: loadProfiles,
  acrossEvents: true,
  judge(evidence) {
    const events = eventEffects(evidence).map(effectOf)
    return events.length > 0 ? observed('events-seen', { events }) : notTested('no-event', {})
  },
  sentences: {
    'events-seen': ({ events }) => events.map(effectInWords).join('. '),
    'no-event': () => 'this run had no event',
  },
})

/** The most that the contract lets an event admit beyond the limit. */
const mostMore = ({ mayAdmit }: EventPromise, limit: number): number =>
  mayAdmit === 'nothing' ? 0 : mayAdmit === 'one-more-limit' ? limit : mayAdmit

export const eventsAllowed = defineCheck({
  id: 'quota.events-allowed',
  promise: 'During an event no more requests are admitted than the contract allows.',
  clauses: ['QUOTA-1'],
  of: 'contract-file',
  advice: 'Check where counts are kept: counts in a process are lost when it ends.',
  reads: loadProfiles,
  acrossEvents: true,
  judges: ({ events }) => events !== undefined,
  judge(evidence) {
    const { events: promised = {} } = contractOf(evidence.run)
    const judged = certainEffects(evidence).flatMap(({ event: { name }, keys }) =>
      Object.hasOwn(promised, name)
        ? keys.map(({ plan, limit, more }) => ({ name, plan, limit, more, allowed: mostMore(promised[name], limit) }))
        : [],
    )
    const broken = judged.find(({ more, allowed }) => more !== null && more.least > allowed)
    if (broken?.more) {
      const { name, plan, limit, allowed, more } = broken
      return fail('event-admits-more', { name, plan, limit, allowed, least: more.least })
    }
    const unknown = judged.find(({ more, allowed }) => more === null || more.most > allowed)
    if (unknown) return inconclusive('event-effect-unknown', { name: unknown.name, plan: unknown.plan })
    if (judged.length === 0) return notTested('no-promised-event', { names: Object.keys(promised) })
    return pass('events-as-allowed', { names: [...new Set(judged.map(({ name }) => name))] })
  },
  sentences: {
    'event-admits-more': (f) =>
      `${f.name}: at least ${count(f.least)} of ${count(f.limit)} more were admitted on ${planName(f.plan)} than without it; the contract allows ${f.allowed === 0 ? 'none' : `at most ${count(f.allowed)}`}`,
    'event-effect-unknown': (f) =>
      `${f.name}: it is unclear whether too many were admitted on ${planName(f.plan)}: the ways of counting that still fit disagree`,
    'no-promised-event': (f) =>
      `this run had no event of the contract (${listInWords(f.names)}) while a quota was in use`,
    'events-as-allowed': (f) => `${listInWords(f.names)}: no more were admitted than the contract allows`,
  },
})
