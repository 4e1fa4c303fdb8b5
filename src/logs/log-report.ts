import type { Readable } from 'node:stream'
import { exitCodeOf } from '../assembly/exit-code.js'
import { certificateRow, checkRow, clauseRow } from '../assembly/finding-rows.js'
import { drawnBreach, judgedFigures } from '../assembly/quota-figures.js'
import { envelope } from '../certificate/measured.js'
import type { LimitClause } from '../checks/framework/broken-limit.js'
import { adviceFor } from '../checks/framework/check.js'
import { notOverAdmitted, notRefusedEarly } from '../checks/quota/limit-kept.js'
import { clausesOf } from '../contract/clauses.js'
import { UsageError } from '../kit/usage-error.js'
import { count, counted, listInWords, present } from '../kit/words.js'
import { shownBreach, type ToldKey } from '../oracle/shown-breach.js'
import { headlineOf } from '../report/headline.js'
import { settle } from '../report/model/settle.js'
import { type CheckRow, type QuotaRow, type Report, reportSchemaVersion } from '../report/model.js'
import { thisMachine } from '../run/machine.js'
import { toolVersion } from '../run/package.js'
import { combine } from '../verdict/verdict.js'
import { type JudgedTraffic, type TellingKey, trafficJudge } from './judge-traffic.js'
import { fileLog } from './line-source.js'
import {
  asToldKey,
  brokenAs,
  type JudgedLogs,
  judgedSide,
  keyName,
  type LogSettings,
  logCertificates,
  placeOf,
  unreadInWords,
} from './log-findings.js'
import { anything } from './rows.js'
import { readTraffic } from './traffic.js'

const limitChecks = { 'QUOTA-1': notOverAdmitted, 'QUOTA-2': notRefusedEarly } as const

const checkOf = (
  clause: LimitClause,
  traffic: JudgedTraffic,
  given: ReturnType<typeof judgedSide>,
  { command }: JudgedLogs,
): CheckRow => {
  const { quota } = traffic.counted
  const of = limitChecks[clause]
  const check = { ...of, id: `${of.id}:${quota.id}`, clauses: [clause] }
  return {
    ...checkRow({ check, level: quota.level, finding: given }, given.message),
    headers: [],
    command,
    advice: given.verdict === 'fail' && of.advice !== undefined ? adviceFor(of.advice, given) : null,
    followsFrom: [],
    waived: null,
  }
}

/** The keys that broke the quota and, for each plan, the one that shows most. */
const quotaRows = (
  traffic: JudgedTraffic,
  certificates: ReturnType<typeof logCertificates>,
  names: readonly string[],
): QuotaRow[] => {
  const { totals, counted: quota } = traffic
  const rowOf = (key: ToldKey, number: number, verdict: QuotaRow['verdict']): QuotaRow => {
    const { admitted, refused, unknown, most } = totals.of(number)
    const counts = { sent: admitted + refused + unknown, admitted, refused, unknown }
    const figures = judgedFigures(key, quota.quota.id, [], { ...counts, history: counts, verdict })
    return { ...figures, worstMinute: most, recovery: null }
  }
  const broken = traffic.broken.map((each) => rowOf(brokenAs(each, names), each.key, 'fail'))
  const kept = certificates.map(
    ({ telling, models }): QuotaRow => ({
      ...rowOf(asToldKey(telling, { judgement: null, diagnosis: null }, names), telling.key, 'pass'),
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

/** The lines that findings and charts name. */
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

/** What the traffic never tried, so that nothing is known about it. */
const neverAsked = ({ contract, traffic }: JudgedLogs): string[] =>
  traffic.flatMap(({ counted: { quota }, testedPlans, testedKeys, planlessKeys, totals }) => {
    const untold = Object.keys(quota.limit).filter((name) => !testedPlans.has(name))
    const seen = totals.keys().length
    const isSome = untold.length > 0 && untold.length < Object.keys(contract.credentials).length + 1
    return present(
      isSome &&
        `${quota.id}: no client ${planlessKeys > 0 ? 'known to be ' : ''}of ${listInWords(untold)} asked for more than the quota and was refused`,
      seen > testedKeys &&
        `${quota.id}: ${count(seen - testedKeys)} of ${counted(seen, 'client')} never asked for more than the quota`,
    )
  })

const notesOnLogs = (logs: JudgedLogs): string[] => {
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

/** The report of logs, in the form of a run's: what they show about each quota, and what they can't. */
const logReport = (logs: JudgedLogs): Report => {
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
  const clauses = clausesOf(contract).map((clause) => {
    const own = checks.filter((check) => check.clauses.includes(clause.id))
    return clauseRow(clause, combine(own.map(({ verdict }) => verdict)), own, notShown)
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
      changedElsewhere: [],
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

/** Reads logs once, in bounded memory, and judges each quota of the contract by them. */
export const judgeTraffic = async (
  settings: LogSettings,
): Promise<{ readonly logs: JudgedLogs; readonly notes: readonly string[]; readonly report: Report }> => {
  const judge = trafficJudge(settings.contract, settings.isComplete)
  const counts = await readTraffic(settings, judge.take)
  const names = settings.logs.map(({ file }) => file.name)
  const logs = { ...settings, traffic: judge.judged(), counts, span: judge.span(), names }
  return { logs, notes: notesOnLogs(logs), report: logReport(logs) }
}

const unitMs = { ms: 1, s: 1000, m: 60_000 } as const

/** `20ms`, `1.5s` or `2m`, in milliseconds. Throws a usage error for anything else. */
const timeMs = (flag: string, text: string): number => {
  const [, value, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  if (value === undefined)
    throw new UsageError(`--${flag} ${text}: write a time with its unit, such as 20ms, 1.5s or 1m`)
  return Number(value) * unitMs[unit as keyof typeof unitMs]
}

/** Clocks of machines with NTP agree within some milliseconds; this is well beyond that. */
const betweenNodesMs = 50

/** The named logs, each with its clock, as `errors` and `longest` describe it. `-` is standard input. */
export const givenLogs = (
  names: readonly string[],
  { errors, longest }: { readonly errors: readonly string[]; readonly longest: string | undefined },
  input: Readable,
) => {
  const usual = names.length > 1 ? betweenNodesMs : 0
  const given = errors.map((each) => timeMs('clock-error', each))
  if (given.length > 1 && given.length !== names.length)
    throw new UsageError(
      `--clock-error: ${given.length} are given for ${names.length} logs: give one for all, or one for each, in their order`,
    )
  if (names.filter((name) => name === '-').length > 1)
    throw new UsageError('--log -: standard input can be given only once')
  const longestMs = longest === undefined ? undefined : timeMs('longest', longest)
  return names.map((name, i) => ({
    file: name === '-' ? { name: 'standard input', open: () => input } : fileLog(name),
    clock: { errorMs: given[i] ?? given[0] ?? usual, longestMs },
  }))
}
