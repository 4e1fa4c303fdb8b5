import { hiddenInAnswers } from '../../certificate/certificates.js'
import { ordinaryCostsOne } from '../../contract/partitions.js'
import { planName } from '../../contract/plans.js'
import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { type Answered, isAnswered } from '../../evidence/exchange.js'
import { count } from '../../kit/words.js'
import { givesBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { bucketShownOtherwise, countsWhole } from '../../oracle/shown-remaining.js'
import { numberOf } from '../../readings/limit-values.js'
import { viewOf } from '../../readings/quota-views.js'
import { saidBy } from '../../readings/readings.js'
import type { Finding } from '../../verdict/verdict.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail, inconclusive } from '../framework/finding.js'
import { burstAgain, hiding, mayHideSentence } from '../framework/judged-clause.js'
import { loadProfiles } from '../framework/loads.js'

interface ShownRemaining {
  readonly x: Answered
  readonly limit: number
  readonly remaining: number
}

/** An unreadable Limit is taken for the minute's: what it should say is RATE-2's matter. */
const shownIn = (evidence: Evidence, row: readonly Answered[], minute: number): ShownRemaining[] =>
  row.flatMap((x) => {
    const headers = saidBy(evidence, x)
    const [limit = minute, remaining] = [numberOf(headers.limit), numberOf(headers.remaining)]
    return remaining === undefined ? [] : [{ x, limit, remaining }]
  })

/** Which play of the probe on the key an exchange belongs to: between two plays, other probes spend the key. */
const playOf = ({ probes }: Evidence, { probe, key, sentAt }: Answered): number =>
  probes.filter((each) => each.probe === probe && each.key === key && each.at <= sentAt).length

const tookMs = (run: readonly ShownRemaining[]): number => run[run.length - 1].x.receivedAt - run[0].x.sentAt

/** The longest part of the row that shows one window and no return of quota all at once; the fastest of equals. */
const longestRun = (evidence: Evidence, row: readonly ShownRemaining[]): readonly ShownRemaining[] => {
  let best: ShownRemaining[] = []
  let current: ShownRemaining[] = []
  for (const reading of row) {
    const last = current.at(-1)
    const isNext = last && playOf(evidence, last.x) === playOf(evidence, reading.x)
    const goesOn = isNext && last.limit === reading.limit && reading.remaining <= last.remaining + 1
    current = goesOn ? [...current, reading] : [reading]
    const isFaster = current.length === best.length && tookMs(current) < tookMs(best)
    if (current.length > best.length || isFaster) best = current
  }
  return best
}

/** The most that a window gives back if it ends within a run: more would show as a rise. */
const usedOfEndedWindow = 2

/** What may have come back meanwhile: of each window that may have ended, by a refill, or as a log forgets. */
const mostGivenBack = (run: readonly ShownRemaining[], windowLengthMs: number, isAtOnce: boolean): number => {
  const windows = tookMs(run) / windowLengthMs
  if (isAtOnce) return usedOfEndedWindow * (Math.floor(windows) + 1)
  const [{ limit, remaining }] = run
  const usedBefore = Math.max(0, limit - remaining - 1)
  return Math.max(Math.ceil(windows * limit) + 1, usedBefore)
}

/** This many falls of exactly one each are no accident. */
const fallsEnough = 3

const askedAgain = ({ code }: Finding) => (code === 'not-told' ? {} : undefined)

export const remainingFalls = defineCheck({
  id: 'rate.remaining-falls',
  promise: 'Remaining falls by one with each request in a row, except for what the limiter may have given back.',
  clauses: ['RATE-4'],
  advice: byCode('Check where Remaining comes from: a cached or rounded count does not follow each request.', {
    'remaining-before-counting': 'Check the order: count the request first, then write its headers.',
    'remaining-falls-too-fast': 'Check whether a request is counted more than once, perhaps by two layers.',
  }),
  reads: ['header-row'],
  needs: { cases: 'rows of requests over which Remaining had to fall by one each' },
  judges: (_, quota) => ordinaryCostsOne(quota),
  ofApartKeys: true,
  again: [
    { probe: 'header-row', beside: ['header-row', ...loadProfiles], settings: askedAgain, dearest: {} },
    burstAgain,
  ],
  judge(evidence, telling) {
    const judged = judgedKeys(evidence)
    const atOnce = new Set(judged.flatMap((key) => (givesBackAtOnce(key) ? [key.name] : [])))
    const whole = new Set(judged.flatMap((key) => (countsWhole(key) ? [key.name] : [])))
    const more = bucketShownOtherwise(judged, 'more')
    // A bucket that has got part of the first request back, and rounds up, shows the same as one that did not count it.
    let roundedUp = more && inconclusive('rounded-up-or-not-counted', { plan: more.plan, limit: more.limit }, more.x)
    for (const { name, plan, quota } of evidence.run.keys) {
      const row = exchangesOf(evidence, 'header-row', 'row').filter(
        (x) => x.key === name && isAnswered(x) && x.response?.status === 200,
      )
      const run = longestRun(evidence, shownIn(evidence, row.filter(isAnswered), quota.limit))
      if (run.length < 3) continue
      const shownDay = run[0].limit === quota.longer && quota.longer !== quota.limit
      const { windowMs, dayMs } = viewOf(evidence)
      const length = shownDay ? dayMs : windowMs
      const full = run.find((each) => each.remaining === each.limit)
      const refillMeanwhile = full && ((full.x.endedAt - full.x.sentAt) * full.limit) / length
      if (full && refillMeanwhile !== undefined && refillMeanwhile < 0.5) {
        if (whole.has(name)) return fail('remaining-before-counting', { plan, limit: full.limit }, full.x)
        roundedUp ??= inconclusive('rounded-up-or-not-counted', { plan, limit: full.limit }, full.x)
      }
      const requests = run.length - 1
      const [from, to] = [run[0].remaining, run[run.length - 1].remaining]
      const leastFall = requests - mostGivenBack(run, length, atOnce.has(name))
      const steps = new Set(run.slice(1).map(({ remaining }, i) => run[i].remaining - remaining))
      // Earlier use does not run out in step with requests, so this counts what is used.
      const isOfUsed = requests > fallsEnough && steps.size === 1 && steps.has(-1)
      const climbs = isOfUsed && 2 * requests > Math.ceil((tookMs(run) / length) * run[0].limit) + 1
      if (from - to < leastFall || climbs) {
        const facts = { plan, requests, from, to, leastFall: climbs ? requests : leastFall }
        return fail('remaining-does-not-fall', facts, run[0].x, run[run.length - 1].x)
      }
      // A limiter that counts too much does so each time; falls of different sizes come from somebody else.
      if (from - to > requests && steps.size > 1) {
        return inconclusive(
          'somebody-else-spends',
          { plan, requests, fall: from - to },
          run[0].x,
          run[run.length - 1].x,
        )
      }
      if (from - to > requests)
        return fail('remaining-falls-too-fast', { plan, requests, from, to }, run[0].x, run[run.length - 1].x)
      // A key that was used before may get back as much as a short row spends; falls of exactly one still tell.
      const fallsByOne = requests >= fallsEnough && from - to === requests && steps.size === 1
      if (leastFall > 0 || fallsByOne) telling.add(run[run.length - 1].x)
    }
    return roundedUp ?? hiding(hiddenInAnswers(evidence, 'RATE-4')) ?? telling.conclude()
  },
  sentences: {
    ...mayHideSentence,
    'remaining-does-not-fall': (f) =>
      `on the ${planName(f.plan)} key Remaining went from ${f.from} to ${f.to} over ${f.requests} requests; it must fall by at least ${f.leastFall}`,
    'remaining-falls-too-fast': (f) =>
      `on the ${planName(f.plan)} key Remaining went from ${f.from} to ${f.to} over ${f.requests} requests`,
    'remaining-before-counting': (f) =>
      `on the ${planName(f.plan)} key an admitted answer shows that all ${count(f.limit)} remain: its own request is not counted`,
    'rounded-up-or-not-counted': (f) =>
      `on the ${planName(f.plan)} key an admitted answer shows that all ${count(f.limit)} remain: the request is not counted, or a bucket rounds its level up`,
    'somebody-else-spends': (f) =>
      `on the ${planName(f.plan)} key Remaining fell by ${f.fall} over ${f.requests} requests: somebody else spends the key`,
  },
})
