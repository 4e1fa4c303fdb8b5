import { inWords } from '../../backoff/named-waits/named-wait.js'
import { type Growth, growthOf } from '../../backoff/own-waits/growth.js'
import { type Hammering, hammeringIn } from '../../backoff/own-waits/hammering.js'
import { fewestPlays } from '../../backoff/own-waits/jitter.js'
import { ownSchedule, usualNoise, waitsOverlap } from '../../backoff/own-waits/waits.js'
import { type ClientFinding, clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'

const round = (value: number): number => Math.round(value * 100) / 100

/** A client that hammers, or may, as a finding. */
export const hammersFinding = ({ lonely, waitMs, nextWaitMs, witnesses, certain }: Hammering): ClientFinding => {
  const facts = { case: lonely.case, named: inWords(lonely.named), waitMs, nextWaitMs }
  return certain
    ? clientFinding('fail', 'hammers', facts, ...witnesses)
    : clientFinding('inconclusive', 'hammers-or-late', facts, ...witnesses)
}

const concluded = (growth: Exclude<Growth, { kind: 'too-few' }>, waitsMs: readonly number[]): ClientFinding => {
  const ratios = { waitsMs, meanRatio: round(growth.meanRatio), lastRatio: round(growth.lastRatio) }
  if (growth.kind === 'grows') return clientFinding('pass', 'grows', { waitsMs, factor: round(growth.meanRatio) })
  return growth.kind === 'unclear'
    ? clientFinding('inconclusive', 'growth-unclear', ratios)
    : clientFinding('fail', 'waits-do-not-grow', ratios)
}

/** While it is refused and told no wait, its own waits grow exponentially. Medians over at least eight plays decide. */
export const waitsGrow: ClientCheck = {
  id: 'client.waits-grow',
  promise: 'where no wait is named, its waits grow exponentially up to a cap',
  clause: 'CLIENT-2',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const { stories, attempts } = ownSchedule(evidence.stories)
    if (stories.length === 0)
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names no wait' })
    const [hammered] = hammeringIn(stories, evidence.noise)
    if (hammered) return hammersFinding(hammered)
    const tried = attempts.filter(({ waitsMs }) => waitsMs.length >= fewestPlays)
    const plays = Math.max(0, ...attempts.map(({ waitsMs }) => waitsMs.length))
    if (attempts.length > 0 && tried.length === 0) return clientFinding('inconclusive', 'too-few-plays', { plays })
    const growth = growthOf(tried, usualNoise(evidence, stories))
    if (growth.kind === 'too-few') return clientFinding('inconclusive', 'too-few-waits', { waits: growth.waits, plays })
    const finding = concluded(
      growth.kind === 'stays' && waitsOverlap(stories) ? { ...growth, kind: 'unclear' } : growth,
      tried.map(({ medianMs }) => Math.round(medianMs)),
    )
    return { ...finding, witnesses: stories[0].arrivals.map(({ id }) => ({ id })) }
  },
}
