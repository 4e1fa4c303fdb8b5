import { planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Ledger, lastAnswerUs, rowWitness } from '../../evidence/ledger.js'
import { isAdmitted } from '../../evidence/steady-share.js'
import { count, formatDuration } from '../../kit/words.js'
import { heldBackKey } from '../../oracle/held-back-key.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { viewOf } from '../../readings/quota-views.js'
import { byCode, defineCheck } from '../framework/check.js'
import { fail, inconclusive, pass } from '../framework/finding.js'
import { heldByAnotherKey } from '../framework/unplayed.js'

type Hammered = { readonly sent: number; readonly served: number; readonly tookMs: number; readonly lastStatus: number }

const profile = 'compliant-clients'

/** Loads of the same profile whose clients do not wait: for comparison, and never held against the target. */
const isHammering = (ledger: string): boolean => ledger.startsWith('hammering-')

const roundOf = (ledger: Ledger) => {
  const { rows } = ledger
  const sent = Array.from(rows.sentUs).filter((_, i) => isAdmitted(rows.status[i]))
  return {
    ledger,
    admitted: sent.length,
    firstSentMs: rows.sentUs[0] / 1000,
    /** When the last admitted request of the round was sent; NaN if none was admitted. */
    lastAdmittedMs: (sent.at(-1) ?? Number.NaN) / 1000,
    /** The first row that was answered 403; -1 if none was. */
    forbidden: rows.status.indexOf(403),
  }
}

type Round = ReturnType<typeof roundOf>

const roundsOn = ({ ledgers }: Evidence, key: string): Round[] =>
  ledgers
    .filter(({ head, rows }) => head.probe === profile && head.key === key && rows.length > 0 && !isHammering(head.id))
    .map(roundOf)
    .sort((a, b) => a.firstSentMs - b.firstSentMs)

const hammeredOn = ({ ledgers }: Evidence, key: string): Hammered | null => {
  const ledger = ledgers.find(({ head }) => head.probe === profile && head.key === key && isHammering(head.id))
  if (!ledger || ledger.rows.length === 0) return null
  const { rows } = ledger
  const lastAnswer = rows.status.findLast((status) => status > 0) ?? 0
  return {
    sent: rows.length,
    served: rows.status.reduce((sum, status) => sum + (isAdmitted(status) ? 1 : 0), 0),
    tookMs: Math.round((lastAnswerUs(rows) - rows.sentUs[0]) / 1000),
    lastStatus: lastAnswer,
  }
}

const playOf = (
  plan: string,
  limit: number,
  windowMs: number,
  rounds: readonly Round[],
  /** What clients that hammered got done of the same work on the same key; null if there were none. */
  hammering: Hammered | null,
) => {
  let [done, work] = [0, 0]
  for (const { ledger, admitted } of rounds) {
    work = done + ledger.head.counts.planned
    done += admitted
  }
  const ends = rounds.map(({ ledger }) => lastAnswerUs(ledger.rows))
  return {
    plan,
    work,
    done,
    sent: rounds.reduce((sum, { ledger }) => sum + ledger.rows.length, 0),
    rounds: rounds.length,
    tookMs: Math.round(Math.max(...ends) / 1000 - rounds[0].firstSentMs),
    idealMs: Math.round((Math.ceil(work / limit) - 1) * windowMs),
    hammering,
  }
}

/** How the clients of one key fared. `idealMs` is the least time that a fixed window at the plan's limit takes. */
type ClientsPlay = ReturnType<typeof playOf>

/** No limiter explains more windows without service than this, to clients that came after each named wait. */
const mostUnserved = 2

/**
 * How long the clients had been served nothing when they began their last round, although they obeyed all the time. A
 * round whose requests were all lost shows no refusal, and does not count.
 */
const unservedMs = (all: readonly Round[]): number => {
  const rounds = all.filter(({ ledger: { rows } }) => rows.status.some((status) => status > 0))
  if (rounds.length === 0) return 0
  const last = rounds[rounds.length - 1]
  const tail = rounds.length - 1 - rounds.findLastIndex(({ admitted }) => admitted > 0)
  if (tail < 2) return 0
  const servedUntil = rounds.findLast(({ admitted }) => admitted > 0)?.lastAdmittedMs ?? rounds[0].firstSentMs
  return last.firstSentMs - servedUntil
}

const efficiency = (play: { readonly done: number; readonly sent: number }): string =>
  `${Math.round((100 * play.done) / play.sent)} % of what was sent`

const besideHammering = ({ work, hammering }: ClientsPlay): string => {
  if (hammering === null) return ''
  const { served, sent, tookMs, lastStatus } = hammering
  const ended = lastStatus === 200 || lastStatus === 429 ? '' : `, until they were answered ${lastStatus}`
  const rate = efficiency({ done: served, sent })
  return `; clients that hammered instead had ${Math.min(served, work)} of ${work} in ${formatDuration(tookMs)}, served ${rate}${ended}`
}

/**
 * The first ban on a key, hammering loads aside, and in how many windows the key had been refused by then; undefined if it
 * was never banned, or had not been refused before.
 */
const banOn = ({ plan, record }: JudgedKey) => {
  const { size, status, ordinary } = record
  let [windows, isRefused] = [0, false]
  for (let i = 0; i < size; i += 1) {
    const witness = record.witness(i)
    if ('ledger' in witness && isHammering(witness.ledger)) continue
    if (status[i] === 429 && !isRefused) windows += 1
    if (status[i] === 429 || status[i] === 200) isRefused = status[i] === 429
    if (status[i] === 403 && ordinary[i] === 1) return windows > 0 ? { plan, windows } : undefined
  }
  return undefined
}

export const compliantNotBanned = defineCheck({
  id: 'throttle.compliant-not-banned',
  promise: 'Clients that wait as told and back off exponentially are not banned, and get all their work done.',
  clauses: ['THROTTLE-6'],
  advice: byCode('Check what counts towards a ban: refusals of clients that wait as told must not count.', {
    'obedient-never-served': 'Check whether refused requests count: clients that wait as told are never served.',
  }),
  reads: [profile],
  needs: { cases: 'clients that were refused, waited as told and came back' },
  judge(evidence, telling) {
    const { windowMs } = viewOf(evidence)
    const plays: ClientsPlay[] = []
    const shared = heldBackKey(evidence)
    for (const { name, plan, quota } of evidence.run.keys) {
      const rounds = roundsOn(evidence, name)
      if (rounds.length === 0) continue
      // A ban that somebody else set off may still last when the clients come; one that comes after service is theirs.
      const bannedIn = rounds.findIndex(({ forbidden }) => forbidden >= 0)
      const served = rounds.slice(0, bannedIn + 1).reduce((sum, { admitted }) => sum + admitted, 0)
      if (bannedIn >= 0 && served > 0) {
        const { ledger, forbidden } = rounds[bannedIn]
        const facts = { plan, status: 403, served, round: bannedIn + 1 }
        return fail('obedient-banned', facts, rowWitness(ledger, forbidden))
      }
      const play = playOf(plan, quota.limit, windowMs, rounds, hammeredOn(evidence, name))
      const last = rounds[rounds.length - 1].ledger
      const witness = rowWitness(last, last.rows.length - 1)
      if (play.done < play.work && shared) return heldByAnotherKey(plan, shared.x)
      const unserved = Math.round(unservedMs(rounds))
      if (play.done < play.work && unserved > mostUnserved * windowMs)
        return fail('obedient-never-served', { ...play, unservedMs: unserved }, witness)
      if (play.done < play.work) return inconclusive('obedient-cut-short', play, witness)
      plays.push(play)
    }
    // Clients that were never refused had nothing to obey.
    const refused = plays.filter(({ rounds }) => rounds > 1)
    const waits = Math.max(0, ...refused.map(({ rounds }) => rounds - 1))
    // A target may ban a key because of its third refused window: then the clients have to sit through as many.
    const ban = judgedKeys(evidence)
      .flatMap((key) => banOn(key) ?? [])
      .find(({ windows }) => windows > waits)
    if (ban && refused.length > 0) return inconclusive('others-banned-later', { ...ban, waits })
    if (refused.length > 0) return pass('obedient-served', { plays })
    return telling.conclude()
  },
  sentences: {
    'obedient-banned': (f) =>
      `on the ${planName(f.plan)} key clients that wait as told were answered ${f.status} in their ${f.round === 1 ? 'first round' : `round ${count(f.round)}, after ${f.round === 2 ? 'a wait' : `${count(f.round - 1)} waits`} that they had kept`}, with ${count(f.served)} of their requests served before`,
    'obedient-never-served': (f) =>
      `on the ${planName(f.plan)} key clients that waited as told were served nothing for ${formatDuration(f.unservedMs)}: ${count(f.done)} of ${count(f.work)} requests were done`,
    'obedient-cut-short': (f) =>
      `on the ${planName(f.plan)} key clients that waited as told had done ${count(f.done)} of ${count(f.work)} requests when their time ran out`,
    'others-banned-later': (f) =>
      `loads that do not wait got the ${planName(f.plan)} key banned once it had been refused in ${count(f.windows)} windows; clients that wait as told were refused and waited only ${f.waits === 1 ? 'once' : `${count(f.waits)} times`}, so they might be banned too`,
    'obedient-served': ({ plays }) =>
      plays
        .map(
          (each) =>
            `${planName(each.plan)}: ${count(each.done)} requests in ${formatDuration(each.tookMs)} and ${each.rounds} rounds (at best ${formatDuration(each.idealMs)}), served ${efficiency(each)}${besideHammering(each)}`,
        )
        .join('; '),
  },
})
