import { certificateRow } from '../assembly/certificate-rows.js'
import { exitCodeOf } from '../assembly/exit-code.js'
import { drawnBreach, judgedFigures } from '../assembly/quota-figures.js'
import { envelope } from '../certificate/measured.js'
import { adviceFor } from '../checks/framework/check.js'
import { diagnosisFacts } from '../checks/framework/in-words.js'
import { clauseSentences } from '../checks/framework/judged-clause.js'
import { notOverAdmitted, notRefusedEarly } from '../checks/quota/limit-kept.js'
import type { ApiContract } from '../contract/api-contract.js'
import { areaOf, areas, clausesOf } from '../contract/clauses.js'
import { count, counted, listInWords, present } from '../kit/words.js'
import type { JudgedKey } from '../oracle/judged-keys.js'
import { shownBreach, wholeQuota } from '../oracle/shown-breach.js'
import { headlineOf } from '../report/headline.js'
import { settle } from '../report/model/settle.js'
import { type CheckRow, type QuotaRow, type Report, reportSchemaVersion } from '../report/model.js'
import { thisMachine } from '../run/machine.js'
import { toolVersion } from '../run/package.js'
import { combine, type Facts, type Verdict } from '../verdict/verdict.js'
import type { BrokenKey, Excerpt, JudgedTraffic, TellingKey } from './judge-traffic.js'
import { keyName, logCertificates } from './log-certificates.js'
import { anything } from './rows.js'
import type { LineCounts } from './traffic.js'

/** What is known of logs that were judged. */
export interface JudgedLogs {
  readonly contract: ApiContract
  readonly traffic: readonly JudgedTraffic[]
  readonly counts: LineCounts
  readonly span: { readonly fromMs: number; readonly toMs: number }
  /** The logs by their places. */
  readonly names: readonly string[]
  readonly isComplete: boolean
  /** The command that judges them again. */
  readonly command: string
  readonly strict: boolean
}

/** From this share on what can't be read may be what would have told. */
const mostUnreadShare = 0.01

/** So many witnesses stand in a finding, and so many of them in its sentence; the others are counted. */
const [mostWitnesses, mostPlaces] = [12, 3]

const placeOf = ({ file, line }: Excerpt, i: number, names: readonly string[]): string => `${names[file[i]]}:${line[i]}`

/** A key of a log as the oracle's pictures and sentences take one. */
const asJudgedKey = (
  { key, plan, window, excerpt }: TellingKey,
  { judgement, diagnosis }: Pick<JudgedKey, 'judgement' | 'diagnosis'>,
  names: readonly string[],
): JudgedKey => {
  const { history, cost, status } = excerpt
  const none = () => new Float64Array(history.size).fill(Number.NaN)
  const flags = () => new Uint8Array(history.size)
  const whole = wholeQuota(window)
  return {
    name: keyName(plan, key),
    plan: keyName(plan, key),
    agreed: window,
    isOnlyQuota: true,
    window: { limit: whole.units, windowMs: whole.ms },
    record: {
      key: keyName(plan, key),
      size: history.size,
      sentMs: history.sentMs,
      receivedMs: history.receivedMs,
      status,
      ordinary: flags().fill(1),
      excused: flags(),
      blocked: flags(),
      limit: none(),
      remaining: none(),
      reset: none(),
      waitMs: none(),
      waitIsDate: flags(),
      ...(cost && { cost }),
      operation: () => null,
      origin: () => undefined,
      witness: (i) => ({ id: placeOf(excerpt, i, names) }),
    },
    history,
    clock: { from: 0, to: 0, told: false },
    judgement,
    diagnosis,
  }
}

const brokenAs = (broken: BrokenKey, names: readonly string[]): JudgedKey => asJudgedKey(broken, broken, names)

/** The facts of a broken key, as those of a run have them. */
const brokenFacts = (broken: BrokenKey, names: readonly string[]) => {
  const { window, judgement, diagnosis } = broken
  const key = brokenAs(broken, names)
  const shown = shownBreach(key, [])
  const { reason, overAdmitted, earlyRefused } = judgement.refutation
  return {
    plan: key.plan,
    limit: key.window.limit,
    windowMs: key.window.windowMs,
    bucket: window.burst === undefined ? null : { refill: window.limit, everyMs: window.windowMs },
    reason,
    closest: judgement.closest,
    exchanges: Math.ceil(overAdmitted + earlyRefused),
    admitted: shown?.admitted ?? null,
    withinMs: shown ? Math.round(shown.toMs - shown.fromMs) : null,
    ...diagnosisFacts(diagnosis),
  }
}

const found = (
  verdict: Verdict,
  code: string,
  message: string,
  facts: Facts = {},
  witnesses: readonly string[] = [],
) => ({ verdict, code, facts, message, witnesses })

type Found = ReturnType<typeof found>

const sides = {
  'QUOTA-1': { side: 'over-admission', check: notOverAdmitted },
  'QUOTA-2': { side: 'early-refusal', check: notRefusedEarly },
} as const
type LimitClause = keyof typeof sides

const refusalsAlike = (verdict: Verdict): Found =>
  found(
    verdict,
    'refusals-alike',
    'a line does not tell whether this quota refused a request, or another quota, a block or a ban',
  )

const unreadInWords = ({ unread, lines, firstUnread }: LineCounts): string =>
  `${count(unread)} of ${counted(lines, 'line')} can't be read: ${firstUnread.join(', ')}`

/** Why no line says anything of any client; undefined where some line does. */
const nothingHeard = ({ lines, unread, none, anonymous, unknown, firstUnknown }: LineCounts): string | undefined => {
  const requests = lines - unread - none
  if (requests === 0) return 'the logs hold no request: check that these are the right files'
  if (anonymous === requests)
    return "no line says who asked: name the field or variable that holds the key, as in --fields 'key=$http_x_api_key'"
  if (unknown === requests - anonymous)
    return `no line is a request of the contract, such as ${firstUnknown[0]}: compare its path with the contract, or say --request NAME='GET /path/*'`
  return undefined
}

/** What the logs could not have told of a side of a quota, whatever was in them; undefined where they could. */
const untold = (clause: LimitClause, traffic: JudgedTraffic, { isComplete, counts }: JudgedLogs): Found | undefined => {
  const { quota, refusalsMeanLittle } = traffic.counted
  if (clause === 'QUOTA-1')
    return quota.exact.over === null
      ? found('not-tested', 'not-promised', 'the contract allows any number more')
      : undefined
  if (quota.exact.early === null) return found('not-tested', 'not-promised', 'the contract allows refusals at any time')
  if (!isComplete)
    return found(
      'not-tested',
      'log-not-whole',
      'the logs may not be complete: requests missing from them may have spent the quota (--complete says that none is missing)',
    )
  if (refusalsMeanLittle) return refusalsAlike('not-tested')
  return counts.unread > 0
    ? found('inconclusive', 'log-not-whole', `the logs are not whole: ${unreadInWords(counts)}`)
    : undefined
}

const failure = (clause: LimitClause, broken: readonly BrokenKey[], more: number, names: readonly string[]): Found => {
  const plans = broken.map((each) => brokenFacts(each, names))
  const facts = { clause, ...plans[0], plans }
  const places = broken.flatMap(({ judgement, excerpt }) =>
    judgement.refutation.witnesses.map((i) => placeOf(excerpt, i, names)),
  )
  const others = more > 0 ? ` ${count(more)} more clients break it.` : ''
  const message = `${listInWords(places.slice(0, mostPlaces))}: ${clauseSentences['no-limiter-explains'](facts)}.${others}`
  return found('fail', 'no-limiter-explains', message, facts, places)
}

/** What the traffic says of a plan, by the key that tells most. */
type LogCertificate = ReturnType<typeof logCertificates>[number]

/** What could still hide behind the traffic of a plan, of what breaks a clause. */
const hiddenIn = (clause: LimitClause, certificates: readonly LogCertificate[]) =>
  certificates.flatMap(({ telling, replayed }) =>
    replayed
      .filter(({ isExcluded, defect }) => !isExcluded && defect.clauses.includes(clause))
      .map(({ defect }) => ({ plan: telling.plan, ...defect })),
  )

const judgedSide = (
  clause: LimitClause,
  traffic: JudgedTraffic,
  certificates: readonly LogCertificate[],
  logs: JudgedLogs,
): Found => {
  const { counts, names } = logs
  const canTell = untold(clause, traffic, logs)
  const isTold = ({ needsAll }: BrokenKey) => !needsAll || counts.unread === 0
  const broken = traffic.broken.filter((each) => isTold(each) && each.judgement.side === sides[clause].side)
  const ofOtherSide = traffic.broken.find((each) => isTold(each) && each.judgement.side !== sides[clause].side)
  if (counts.unread > 0 && counts.unread >= counts.lines * mostUnreadShare) {
    const seen = broken.length > 0 ? `; what can be read breaks the rule (${broken.length} clients)` : ''
    return found('inconclusive', 'lines-unread', `${unreadInWords(counts)}${seen}`)
  }
  if (broken.length > 0) {
    const all = [...traffic.brokenKeys.values()].filter((side) => side === 'over').length
    return failure(clause, broken, clause === 'QUOTA-1' ? Math.max(0, all - broken.length) : 0, names)
  }
  if (canTell) return canTell
  if (ofOtherSide)
    return found(
      'inconclusive',
      'broken-the-other-way',
      `${keyName(ofOtherSide.plan, ofOtherSide.key)} breaks the other side of the quota: fix that first`,
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
      'nothing in the logs breaks it, but requests that are not in them may (--complete says that they hold all of them)',
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
      `nothing in the logs breaks it, but ${first.words} could still hide on ${first.plan}${hidden.length > 1 ? ` (and so could ${count(hidden.length - 1)} more)` : ''}: this traffic would not have shown it`,
      { defects: [...new Set(hidden.map(({ id }) => id))] },
    )
  return found(
    'pass',
    'explained',
    `a permitted way of counting explains every client; ${count(traffic.testedKeys)} of them asked for more than the quota and ${traffic.testedKeys === 1 ? 'was' : 'were'} refused`,
  )
}

const checkOf = (clause: LimitClause, traffic: JudgedTraffic, given: Found, { command }: JudgedLogs): CheckRow => {
  const { check } = sides[clause]
  const { quota } = traffic.counted
  const { advice } = check
  return {
    id: `${check.id}:${quota.id}`,
    promise: check.promise,
    clauses: [clause],
    level: quota.level,
    ...given,
    headers: [],
    witnesses: given.witnesses.slice(0, mostWitnesses),
    witnessesLeftOut: Math.max(0, given.witnesses.length - mostWitnesses),
    command,
    advice: given.verdict === 'fail' && advice !== undefined ? adviceFor(advice, given) : null,
    followsFrom: [],
    waived: null,
  }
}

/** Those that broke the quota, and of each plan the one that tells most. */
const quotaRows = (
  traffic: JudgedTraffic,
  certificates: readonly LogCertificate[],
  names: readonly string[],
): QuotaRow[] => {
  const { totals, counted: quota } = traffic
  const rowOf = (key: JudgedKey, number: number, verdict: QuotaRow['verdict']): QuotaRow => {
    const { admitted, refused, unknown, most } = totals.of(number)
    const counts = { sent: admitted + refused + unknown, admitted, refused, unknown }
    const figures = judgedFigures(key, quota.quota.id, [], { ...counts, history: counts, verdict })
    return { ...figures, worstMinute: most, recovery: null }
  }
  const broken = traffic.broken.map((each) => rowOf(brokenAs(each, names), each.key, 'fail'))
  const kept = certificates.map(
    ({ telling, models }): QuotaRow => ({
      ...rowOf(asJudgedKey(telling, { judgement: null, diagnosis: null }, names), telling.key, 'pass'),
      models: Object.fromEntries(models.map((name) => [name, 'explained'])),
    }),
  )
  return [...broken, ...kept]
}

const witnessRow = (
  { key, plan, excerpt }: TellingKey,
  i: number,
  { names, contract }: JudgedLogs,
): Report['exchanges'][number] => {
  const asked = excerpt.request[i]
  const [name, request] = Object.entries(contract.requests)[asked] ?? []
  return {
    id: placeOf(excerpt, i, names),
    probe: 'log',
    step: names[excerpt.file[i]],
    key: keyName(plan, key),
    operation: name ?? null,
    sentAt: excerpt.history.sentMs[i],
    receivedAt: excerpt.history.receivedMs[i],
    request: {
      method: request?.method ?? '',
      url: request?.path ?? (asked === anything ? 'any request' : 'another request'),
      headers: [],
      body: null,
    },
    response: { status: excerpt.status[i], reason: '', headers: [], body: '', bodyBytes: 0 },
    error: null,
    curl: null,
  }
}

/** The lines that findings and pictures name. */
const witnessRows = (traffic: readonly JudgedTraffic[], logs: JudgedLogs): Report['exchanges'] => {
  const rows = traffic.flatMap(({ broken }) =>
    broken.flatMap((each) => {
      const shown = shownBreach(brokenAs(each, logs.names), [])
      const pictured = shown ? drawnBreach(brokenAs(each, logs.names), shown, []).shownBy : []
      const named = new Set(pictured?.map(({ id }) => id))
      const places = Array.from({ length: each.excerpt.history.size }, (_, i) => i).filter((i) =>
        named.has(placeOf(each.excerpt, i, logs.names)),
      )
      return [...new Set([...each.judgement.refutation.witnesses, ...places])].map((i) => witnessRow(each, i, logs))
    }),
  )
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** What the traffic never asked, so that nothing is known of it. */
const neverAsked = ({ contract, traffic }: JudgedLogs): string[] =>
  traffic.flatMap(({ counted: { quota }, testedPlans, testedKeys, totals }) => {
    const untold = Object.keys(quota.limit).filter((name) => !testedPlans.has(name))
    const seen = totals.keys().length
    const isSome = untold.length > 0 && untold.length < Object.keys(contract.credentials).length + 1
    return present(
      isSome && `${quota.id}: no client of ${listInWords(untold)} asked for more than the quota and was refused`,
      seen > testedKeys &&
        `${quota.id}: ${count(seen - testedKeys)} of ${counted(seen, 'client')} never asked for more than the quota`,
    )
  })

/** What became of the lines, and what they never asked. */
export const notesOnLogs = (logs: JudgedLogs): string[] => {
  const { counts } = logs
  const formats = [...counts.formats].map(([name, format]) => `${name}: ${format}`)
  return present(
    `${counted(counts.lines, 'line')}${formats.length > 0 ? ` (${formats.join('; ')})` : ''}`,
    counts.unread > 0 && unreadInWords(counts),
    counts.anonymous > 0 &&
      `${counted(counts.anonymous, 'request')} without a key or an address (--fields says where a line has it)`,
    counts.unknown > 0 &&
      `${counted(counts.unknown, 'request')} that the contract does not name: ${counts.firstUnknown.join(', ')} (--request says which they are)`,
    ...neverAsked(logs),
  )
}

const notShown = 'the lines of a log do not show it'

/** The report of logs, as of a run: what they show of each quota, and what they can't. */
export const logReport = (logs: JudgedLogs): Report => {
  const { contract, traffic, names, span, counts } = logs
  const certificates = traffic.map(({ counted: quota, telling, brokenKeys }) =>
    logCertificates(
      quota,
      telling.filter(({ key }) => !brokenKeys.has(key)),
    ),
  )
  const checks = traffic.flatMap((each, i) =>
    (['QUOTA-1', 'QUOTA-2'] as const).map((clause) =>
      checkOf(clause, each, judgedSide(clause, each, certificates[i], logs), logs),
    ),
  )
  const clauses = clausesOf(contract).map(({ id, level, source, sentence }) => {
    const own = checks.filter((check) => check.clauses.includes(id))
    const verdict = combine(own.map((check) => check.verdict))
    const telling = own.filter((check) => check.verdict === verdict)
    return {
      id,
      level,
      area: areas[areaOf(id)],
      source,
      sentence,
      verdict,
      reason: own.length === 0 ? notShown : [...new Set(telling.map(({ message }) => message))].join('; '),
      checks: own.map((check) => check.id),
      waived: null,
    }
  })
  const rows = traffic.flatMap((each, i) => quotaRows(each, certificates[i], names))
  const startedMs = Number.isFinite(span.fromMs) ? span.fromMs : 0
  const settled = settle(
    {
      schemaVersion: reportSchemaVersion,
      tool: { name: 'quotaspec', version: toolVersion },
      run: {
        id: `logs-${new Date(startedMs).toISOString().slice(0, 19).replaceAll(':', '')}`,
        scenario: 'logs',
        startedAt: new Date(startedMs).toISOString(),
        durationMs: Math.max(0, Math.round(span.toMs - startedMs)) || 0,
        plannedMs: 0,
        timeScale: 1,
        seed: 0,
        strict: logs.strict,
        exitCode: 2,
        interrupted: false,
        command: logs.command,
        environment: thisMachine(),
      },
      target: { baseUrl: listInWords(names), contract: contract.name },
      clauses,
      checks,
      quotas: rows,
      certificates: traffic.flatMap(({ counted: { quota } }, i) =>
        certificates[i].map((each) => certificateRow(each, quota.id)),
      ),
      envelopes: traffic.flatMap(({ counted: { quota } }, i) =>
        certificates[i].map(({ key, plan, telling, models }) => ({
          key,
          plan,
          quota: quota.id,
          points: envelope(telling.excerpt.history, telling.window, models),
        })),
      ),
      load: [],
      limiterCosts: [],
      vantages: [],
      timelines: [],
      backoff: [],
      bans: [],
      events: [],
      spending: [{ key: 'all', probe: 'log', planned: 0, spent: counts.lines - counts.unread - counts.none }],
      notes: notesOnLogs(logs).map((text) => ({ at: 0, text })),
      exchanges: witnessRows(traffic, logs),
      exchangesLeftOut: 0,
      restored: true,
      unrestored: [],
    },
    { gates: {}, waivers: [], rejectedKeys: [], plans: [], isPartial: false },
  )
  return {
    ...settled,
    run: { ...settled.run, exitCode: exitCodeOf(settled.outcome, { interrupted: false, crashed: false }) },
    headline: headlineOf(settled),
    rerun: null,
  }
}
