import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { mostAtOnce, planName, type QuotaWindow } from '../../contract/plans.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import { count } from '../../kit/words.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { leastGranted, mostAllowed } from '../../oracle/models/explanation.js'
import {
  answersWhenFull,
  bucketShownOtherwise,
  countsWhole,
  keepsLimit,
  metEdge,
  metEnd,
  spentBehind,
  spentToRefusal,
  successions,
} from '../../oracle/shown-remaining.js'
import { byCode, defineCheck } from '../framework/check.js'
import { breach, broken, fail, inconclusive } from '../framework/finding.js'
import { spendingProbes } from '../framework/needs.js'

/** All but `cost`, which measures what answers cost: it does not tell limiters apart, and says nothing of a bucket. */
const spendingWhole: readonly ProbeId[] = spendingProbes.filter((probe) => probe !== 'cost')

/** Whether all requests cost one: if costs differ, Remaining may fall by any of them. */
const allCostOne = (_contract: ApiContract, { cost }: QuotaSpec): boolean =>
  Object.values(cost).every((each) => each === 1)

const ofCounts = {
  clauses: ['RATE-4'],
  reads: spendingWhole,
  judges: allCostOne,
  yields: true,
  ofApartKeys: true,
} as const

/**
 * How far the admissions may fall short of the shown Remaining, or exceed it, within the tolerance; infinite on a side that
 * is not promised. For 40 with 10 % on both sides: 4 and 4.
 */
const toleranceOf = (window: QuotaWindow): { readonly fewer: number; readonly more: number } => {
  const [least, most] = [leastGranted(window), mostAllowed(window)]
  return {
    fewer: least ? mostAtOnce(window) - mostAtOnce(least) : Number.POSITIVE_INFINITY,
    more: most ? mostAtOnce(most) - mostAtOnce(window) : Number.POSITIVE_INFINITY,
  }
}

export const remainingKept = defineCheck({
  id: 'rate.remaining-kept',
  promise: 'If an admitted answer shows 5 remaining, 5 more requests are admitted before a refusal.',
  ...ofCounts,
  advice: 'Check whether the headers and the limiter read the same count: Remaining promises more than is admitted.',
  needs: { cases: 'answers behind which exactly what they showed was spent, up to a refusal' },
  judge(evidence, telling) {
    for (const key of judgedKeys(evidence).filter(countsWhole)) {
      const { record, plan, window, agreed } = key
      const limit = window.limit
      const { fewer } = toleranceOf(agreed)
      for (const { answer, refusal, spent } of spentToRefusal(key)) {
        const remaining = record.remaining[answer]
        const facts = { plan, limit, remaining, spent }
        if (remaining - fewer > spent)
          return fail('refused-with-some-left', facts, record.witness(answer), record.witness(refusal))
        if (remaining === spent) telling.add(record.witness(answer))
      }
    }
    return telling.conclude()
  },
  sentences: {
    'refused-with-some-left': (f) =>
      `on the ${planName(f.plan)} key an admitted answer showed that ${f.remaining === f.limit ? 'all' : count(f.remaining)} of ${count(f.limit)} remain, but the key was refused after ${count(f.spent)} more`,
  },
})

/** In a row of requests a refill may hide a missing fall; in a window that gives nothing back, nothing hides one. */
export const remainingRepeated = defineCheck({
  id: 'rate.remaining-repeated',
  promise: 'Within a window without a refill, a request after an admitted one shows a lower Remaining.',
  ...ofCounts,
  advice: byCode(
    'Check whether every request is counted before its headers are written, and all of them in one place.',
    {
      'window-opener-not-counted': 'Check the request that begins a window: it must be counted like the others.',
      'remaining-rises': 'Check the request that begins a window: its Remaining and its Reset must be of one window.',
    },
  ),
  needs: { cases: 'pairs of requests in one window, while nothing was given back' },
  judge(evidence, telling) {
    for (const key of judgedKeys(evidence).filter(({ window }) => window.limit !== window.longer?.limit)) {
      const { record, plan, window } = key
      const limit = window.limit
      const repeated = []
      for (const each of successions(key)) {
        const { first, second } = each
        const [from, to] = [record.remaining[first], record.remaining[second]]
        if (from > to) telling.add(record.witness(second))
        else if (from === to) repeated.push(each)
        else if (!metEdge(key, first) && !metEnd(key, second)) {
          return fail('remaining-rises', { plan, limit, from, to }, record.witness(first), record.witness(second))
        }
      }
      // If only openers are not counted, no value below theirs is shown twice.
      const further = repeated.find(({ second }) => record.remaining[second] < limit - 1)
      const shown = further ?? repeated[0]
      if (shown === undefined) continue
      const facts = { plan, limit, remaining: record.remaining[shown.second] }
      const witnesses = [record.witness(shown.first), record.witness(shown.second)]
      return broken(breach(further ? 'remaining-repeated' : 'window-opener-not-counted', facts), ...witnesses)
    }
    return telling.conclude()
  },
  sentences: {
    'window-opener-not-counted': (f) =>
      `on the ${planName(f.plan)} key the first answer of a window and a later one both show that ${count(f.remaining)} of ${count(f.limit)} remain`,
    'remaining-rises': (f) =>
      `on the ${planName(f.plan)} key two answers of one window, to requests sent one after the other, show first ${count(f.from)} and then ${count(f.to)} of ${count(f.limit)} remaining`,
    'remaining-repeated': (f) =>
      `on the ${planName(f.plan)} key two answers of one window, to requests sent one after the other, both show that ${count(f.remaining)} of ${count(f.limit)} remain`,
  },
})

/** Too low is as wrong as too high: an obedient client waits for quota that it still has. */
export const remainingNotTooLow = defineCheck({
  id: 'rate.remaining-not-too-low',
  promise: 'If an admitted answer shows 5 remaining, no more than 5 requests are admitted until quota comes back.',
  ...ofCounts,
  advice:
    'Check what Remaining is computed from: it counts requests that the limiter does not count, or no longer counts.',
  needs: { cases: 'answers after which all that Remaining showed was spent' },
  judge(evidence, telling) {
    for (const key of judgedKeys(evidence).filter(keepsLimit)) {
      const { record, plan, window, agreed } = key
      const { more } = toleranceOf(agreed)
      const spent = [...spentBehind(key)]
      // More than the whole limit in one window: the limit itself is not kept, whatever Remaining says.
      if (spent.some(({ admitted }) => admitted.length >= window.limit)) continue
      for (const { answer, remaining, admitted } of spent) {
        if (admitted.length > remaining + more) {
          const facts = { plan, limit: window.limit, remaining, admitted: admitted.length }
          return fail(
            'more-admitted-than-remained',
            facts,
            record.witness(answer),
            record.witness(admitted[remaining + more]),
          )
        }
        telling.add(record.witness(answer))
      }
    }
    for (const key of judgedKeys(evidence).filter(countsWhole)) {
      const { record, plan, window, agreed } = key
      const least = window.limit - 1 - toleranceOf(agreed).more
      for (const row of answersWhenFull(key)) {
        const facts = { plan, limit: window.limit, remaining: record.remaining[row] }
        if (facts.remaining < least) return fail('full-quota-shown-short', facts, record.witness(row))
      }
    }
    const short = bucketShownOtherwise(judgedKeys(evidence), 'less')
    if (short) {
      const { x, plan, limit, remaining } = short
      return inconclusive('bucket-shown-short', { plan, limit, remaining }, x)
    }
    return telling.conclude()
  },
  sentences: {
    'full-quota-shown-short': (f) =>
      `on the ${planName(f.plan)} key a single request came after so long a silence that all ${count(f.limit)} were left, but its answer shows that ${count(f.remaining)} remain`,
    'bucket-shown-short': (f) =>
      `on the ${planName(f.plan)} key a single request after a long silence, or just after one, shows ${count(f.remaining)} of ${count(f.limit)} remaining, and all others like it show too little as well: a bucket that refills evenly holds more`,
    'more-admitted-than-remained': (f) =>
      `on the ${planName(f.plan)} key an admitted answer showed that ${count(f.remaining)} of ${count(f.limit)} remain, but ${count(f.admitted)} more were admitted before any quota came back`,
  },
})
