import type { Certificate } from '../certificate/certificates.js'
import { apartDefects } from '../certificate/counts-apart.js'
import { defectsFor } from '../certificate/defects.js'
import { limitRange, windowRange } from '../certificate/measured.js'
import { toldOfDefect } from '../certificate/replays.js'
import { brokenLimit, brokenSentence, type LimitClause, limitClauses } from '../checks/framework/broken-limit.js'
import { witnessText } from '../kit/witness.js'
import { count, counted, listInWords } from '../kit/words.js'
import { withCosts } from '../oracle/costs.js'
import { modelsThatExplain } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import { type ToldKey, wholeQuota } from '../oracle/shown-breach.js'
import type { Facts, Finding, Verdict } from '../verdict/verdict.js'
import type { CountedQuota } from './counted-quota.js'
import type { BrokenKey, JudgedTraffic, TellingKey } from './judge-traffic.js'
import type { LineCounts, TrafficSettings } from './traffic.js'

export interface LogSettings extends TrafficSettings {
  /** Whether they contain every request of their time that counts. */
  readonly isComplete: boolean
  readonly strict: boolean
  readonly command: string
}

export interface JudgedLogs extends Omit<LogSettings, keyof TrafficSettings>, Pick<TrafficSettings, 'contract'> {
  readonly traffic: readonly JudgedTraffic[]
  readonly counts: LineCounts
  readonly span: { readonly fromMs: number; readonly toMs: number }
  /** The logs' names, by index. */
  readonly names: readonly string[]
}

/** The name of a key in the report, which reveals nothing: the named lines show who it is. */
export const keyName = (plan: string, key: number): string => `client ${count(key)} (${plan})`

/** A fixed seed, so that the same traffic is replayed in the same way. */
const seed = 1

/** For each plan, replays the traffic of the key that shows most through defective limiters. */
export const logCertificates = (counted: CountedQuota, telling: readonly TellingKey[]) =>
  telling.map((key) => {
    const { window, excerpt, plan } = key
    const { burst = window.limit } = window
    const costed = excerpt.cost ? withCosts(excerpt.history, excerpt.cost, burst) : undefined
    const history = costed?.history ?? excerpt.history
    const rowOf = (i: number) => costed?.rows[i] ?? i
    const models = modelsThatExplain(history, window)
    const others = Object.entries(counted.quota.limit).filter(
      ([name, limit]) => name !== plan && limit !== window.limit,
    )
    const routeOf = (i: number) => String(excerpt.request[rowOf(i)])
    const replayable = { history, window, models, seed }
    const defects = [...defectsFor(window, Object.fromEntries(others)), ...apartDefects(history, window, routeOf)]
    const replayed = defects.map((defect) => toldOfDefect(replayable, defect))
    const measured = {
      limit: limitRange(history, window),
      windowMs: isExact(window) ? windowRange(history, window) : null,
    }
    const name = keyName(plan, key.key)
    const certificate: Certificate = { key: name, plan: name, replayed, measured }
    return { ...certificate, telling: key, models }
  })

/** What the traffic proves about a plan, by the key that shows most. */
type LogCertificate = ReturnType<typeof logCertificates>[number]

/** From this share on, the unreadable lines may hold the missing evidence. */
const mostUnreadShare = 0.01

/** How many lines that show a breach are named in its sentence. */
const mostPlaces = 3

export const placeOf = ({ file, line }: TellingKey['excerpt'], i: number, names: readonly string[]): string =>
  `${names[file[i]]}:${line[i]}`

/** A client of a log, in the form that a run's charts and sentences take for keys. */
export const asToldKey = (
  { key, plan, window, excerpt }: TellingKey,
  { judgement, diagnosis }: Pick<ToldKey, 'judgement' | 'diagnosis'>,
  names: readonly string[],
): ToldKey => {
  const { history, cost } = excerpt
  const { units, ms } = wholeQuota(window)
  const { size, sentMs, receivedMs } = history
  const witness = (i: number) => ({ id: placeOf(excerpt, i, names) })
  return {
    plan: keyName(plan, key),
    agreed: window,
    window: { limit: units, windowMs: ms },
    record: { size, sentMs, receivedMs, ...(cost && { cost }), witness },
    history,
    judgement,
    diagnosis,
  }
}

export const brokenAs = (broken: BrokenKey, names: readonly string[]): ToldKey => asToldKey(broken, broken, names)

/** What logs show about one side of a quota, with its sentence. */
type Found = Finding & { readonly message: string }

const found = (verdict: Verdict, code: string, message: string, facts: Facts = {}): Found => ({
  verdict,
  code,
  facts,
  message,
  witnesses: [],
})

const refusalsAlike = (verdict: Verdict): Found =>
  found(
    verdict,
    'refusals-alike',
    'a log line does not show what refused a request: this quota, another quota, a block or a ban',
  )

export const unreadInWords = ({ unread, lines, firstUnread }: LineCounts): string =>
  `${count(unread)} of ${counted(lines, 'line')} can't be read: ${firstUnread.join(', ')}`

/** Why no line says anything about any client; undefined if some line does. */
const nothingHeard = ({ lines, unread, none, anonymous, unknown, firstUnknown }: LineCounts): string | undefined => {
  const requests = lines - unread - none
  if (requests === 0) return 'the logs hold no request: check that these are the right files'
  if (anonymous === requests)
    return "no line says who asked: have the server log the key, and name its field or variable, as in --fields 'key=$http_x_api_key'"
  if (unknown === requests - anonymous)
    return `no line is a request of the contract; the first is ${firstUnknown[0]}: compare its path with the contract, or pass --request NAME='GET /path/*'`
  return undefined
}

/** Why these logs could never have judged one side of a quota; undefined if they could. */
const untold = (clause: LimitClause, traffic: JudgedTraffic, { isComplete, counts }: JudgedLogs): Found | undefined => {
  const { quota, refusalsMeanLittle } = traffic.counted
  if (clause === 'QUOTA-1')
    return quota.exact.over === null
      ? found('not-tested', 'not-promised', 'the contract sets no upper limit on what is admitted')
      : undefined
  if (quota.exact.early === null) return found('not-tested', 'not-promised', 'the contract allows refusals at any time')
  if (!isComplete)
    return found(
      'not-tested',
      'log-not-whole',
      'the logs may not be complete: missing requests may have spent the quota (--complete states that none is missing)',
    )
  if (refusalsMeanLittle) return refusalsAlike('not-tested')
  return counts.unread > 0
    ? found('inconclusive', 'log-not-whole', `the logs are not complete: ${unreadInWords(counts)}`)
    : undefined
}

const failure = (clause: LimitClause, broken: readonly [ToldKey, ...ToldKey[]], more: number): Found => {
  const finding = brokenLimit(clause, broken, () => [])
  const places = finding.witnesses.slice(0, mostPlaces).map(witnessText)
  const others = more > 0 ? ` ${count(more)} more clients break it.` : ''
  const sentence = brokenSentence['no-limiter-explains'](finding.facts)
  return { ...finding, message: `${listInWords(places)}: ${sentence}.${others}` }
}

/** The defects that break a clause and could still hide behind a plan's traffic. */
const hiddenIn = (clause: LimitClause, certificates: readonly LogCertificate[]) =>
  certificates.flatMap(({ telling, replayed }) =>
    replayed
      .filter(({ isExcluded, defect }) => !isExcluded && defect.clauses.includes(clause))
      .map(({ defect }) => ({ plan: telling.plan, ...defect })),
  )

export const judgedSide = (
  clause: LimitClause,
  traffic: JudgedTraffic,
  certificates: readonly LogCertificate[],
  logs: JudgedLogs,
): Found => {
  const { counts, names } = logs
  const canTell = untold(clause, traffic, logs)
  const isTold = ({ needsAll }: BrokenKey) => !needsAll || counts.unread === 0
  const breaks = ({ judgement: { side } }: BrokenKey) => limitClauses[side] === clause
  const told = traffic.broken.filter(isTold)
  const [broken, ...more] = told.filter(breaks).map((each) => brokenAs(each, names))
  const ofOtherSide = told.find((each) => !breaks(each))
  if (counts.unread > 0 && counts.unread >= counts.lines * mostUnreadShare) {
    const seen = broken ? `; what can be read breaks the rule (${1 + more.length} clients)` : ''
    return found('inconclusive', 'lines-unread', `${unreadInWords(counts)}${seen}`)
  }
  if (broken) {
    const all = clause === 'QUOTA-1' ? [...traffic.brokenKeys.values()].filter((side) => side === 'over').length : 0
    return failure(clause, [broken, ...more], all - 1 - more.length)
  }
  if (canTell) return canTell
  if (ofOtherSide)
    return found(
      'inconclusive',
      'broken-the-other-way',
      `${keyName(ofOtherSide.plan, ofOtherSide.key)} breaks the other rule of the quota: fix that first`,
    )
  const nothing = nothingHeard(counts)
  if (nothing !== undefined) return found('inconclusive', 'limit-never-reached', nothing)
  if (traffic.testedKeys === 0)
    return found(
      'inconclusive',
      'limit-never-reached',
      'no client asked for more than the quota within one window and was refused: a target without any limit would look the same',
    )
  if (!logs.isComplete)
    return found(
      'inconclusive',
      'log-not-whole',
      'the logs show no breach, but they may lack requests that would show one (--complete says that none is missing)',
    )
  if (traffic.planlessKeys > 0)
    return found(
      'inconclusive',
      'limit-unknown',
      `nothing in the logs says which limit ${counted(traffic.planlessKeys, 'client')} ${traffic.planlessKeys === 1 ? 'has' : 'have'}: name a field (plan=…), or set the environment variables of the credentials`,
    )
  if (traffic.counted.refusalsMeanLittle) return refusalsAlike('inconclusive')
  const hidden = hiddenIn(clause, certificates)
  const [first] = hidden
  if (first)
    return found(
      'inconclusive',
      'defect-may-hide',
      `the logs show no breach, but ${first.words} could still hide on ${first.plan}${hidden.length > 1 ? ` (and so could ${count(hidden.length - 1)} more)` : ''}: this traffic would not have shown it`,
      { defects: [...new Set(hidden.map(({ id }) => id))] },
    )
  return found(
    'pass',
    'explained',
    `a permitted way of counting explains every client; ${count(traffic.testedKeys)} of them asked for more than the quota and ${traffic.testedKeys === 1 ? 'was' : 'were'} refused`,
  )
}
