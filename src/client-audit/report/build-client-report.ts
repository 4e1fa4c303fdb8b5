import { exitCodeOf } from '../../assembly/exit-code.js'
import { checkRow, mostWitnesses } from '../../assembly/finding-rows.js'
import type { Audit } from '../../evidence/arrivals.js'
import { witnessText } from '../../kit/witness.js'
import { present } from '../../kit/words.js'
import { sentenceOf } from '../../run/judge.js'
import { type Outcome, outcomeOf, type Verdict } from '../../verdict/verdict.js'
import type { GradeReason } from '../checks/grade.js'
import { amissInWords, type Mend, watchedInFull } from '../checks/in-words.js'
import type { judgeClient } from '../checks/judge-client.js'
import { type Amiss, amissByCase } from '../waits/early-arrivals.js'
import { earlyOnDate, earlyOnSeconds, watchedWaits } from '../waits/seconds-and-dates.js'
import { type ClientEvidence, clientEvidence, type Story } from '../waits/story.js'
import { ownSchedule } from '../waits/waits.js'
import { gradeHeadline, isPartial } from './grade-headline.js'
import { type ClientPlayRow, type ClientReport, clientPlayRow, clientReportVersion } from './model.js'

/** Whether a client that was asked for one request sent others: in parallel, of another kind, or after it was served. */
const madeSeveral = ({ play, arrivals, workers }: Story): boolean => {
  if (play.asked.requests !== 1) return false
  const servedAt = arrivals.findIndex(({ status }) => status === 200)
  const kinds = new Set(arrivals.map(({ method, path }) => `${method} ${path}`))
  return workers > 1 || kinds.size > 1 || (servedAt >= 0 && servedAt < arrivals.length - 1)
}

type JudgedClient = ReturnType<typeof judgeClient>

/** Notes to read before the grade: what was not seen, and what the command did unasked. */
const clientNotes = ({ grade, schedule, clauses }: JudgedClient, { audit, stories }: ClientEvidence): string[] => {
  const { plays, arrivals, interrupted, head } = audit
  const { cases } = head
  const isStopped = !interrupted && arrivals.length === 0 && plays.some(({ end }) => end === 'interrupted')
  const several = stories.find(madeSeveral)
  const isGood = grade.letter === 'A' || grade.letter === 'B'
  const isKept = clauses.some(({ clause, verdict }) => clause.id === 'CLIENT-1' && verdict === 'pass')
  return present(
    isStopped &&
      `Stopped after ${plays.filter(({ end }) => end === 'exit').length} plays, because no request had come.`,
    several &&
      `Asked for one request, the command seems to make several (${several.play.case}): a request that comes straight after another one gave up counts as an attempt that came too soon. Let it make PETSTORE_REQUESTS calls from PETSTORE_WORKERS workers. Until then, what follows is probably about the script, not the client.`,
    // Without a grade, the headline says this.
    isPartial(cases) && grade.letter !== null && `Only ${cases.played} of ${cases.of} cases were played.`,
    isGood &&
      schedule.pauses === 'one-at-a-time' &&
      `The ${grade.letter} is for one request at a time; the audit did not see several workers at once.`,
    // A pass also says how long the kept waits were really watched.
    isKept && watchedInFull(watchedWaits(audit, stories)),
  )
}

const onlyCases = (command: string, cases: readonly string[]): string => {
  const [typed, ...client] = command.split(' -- ')
  const [program, ...flags] = typed.replace(/ --case \S+/g, '').split(/(?<=^quotaspec client)/)
  const words = `${program}${cases.map((id) => ` --case ${id}`).join('')}${flags.join('')}`
  return [words, ...client].join(' -- ')
}

/** The audit that may settle on a quiet machine what a stall left open; null if nothing is. */
const quickRetry = (
  { head, plays, endedAt }: Audit,
  reasons: ClientReport['grade']['reasons'],
): ClientReport['retry'] => {
  const open = reasons.filter(({ stalledMs }) => stalledMs !== null)
  if (open.length === 0) return null
  const cases = [...new Set(open.flatMap((each) => each.case ?? []))]
  if (open.some((each) => each.case === null)) return { command: head.command, tookMs: Math.round(endedAt) }
  const took = plays.filter((play) => cases.includes(play.case)).map((play) => play.endedAt - play.startedAt)
  return { command: onlyCases(head.command, cases), tookMs: Math.round(Math.max(...took)) }
}

const mostArrivals = 150

/** In tenths of a millisecond. */
const tidy = (ms: number): number => Math.round(ms * 10) / 10

/** The most that the controls were late during the case; during the whole audit, if it is not about one case. */
const stalledMs = ({ stories, noise }: ClientEvidence, id: unknown): number => {
  const own = stories.filter(({ play }) => play.case === id)
  const spans = (own.length > 0 ? own : stories).map(({ play }) => noise.mostMs(play.startedAt, play.endedAt))
  return tidy(Math.max(0, ...spans))
}

/** Whether a finding says only that no case was played that could test it. */
const saysNotPlayed = ({ code, facts }: GradeReason['finding']): boolean =>
  ['case-not-played', 'huge-not-shown', 'stayed-away'].includes(code) ||
  (code === 'quota-not-exercised' && facts.case === 'none')

const mendInWords = (mend: Mend): string =>
  typeof mend === 'string'
    ? mend
    : `If it stands: ${mend.ifItStands.charAt(0).toLowerCase()}${mend.ifItStands.slice(1)}`

const gradeRow = ({ grade }: JudgedClient, evidence: ClientEvidence): ClientReport['grade'] => ({
  letter: grade.letter,
  best: grade.best,
  worst: grade.worst,
  reasons: grade.reasons.map((reason) => {
    const mend: Mend | undefined = reason.of.advice?.[reason.finding.code]?.(reason.finding.facts as never)
    // If a stall left a reason open, another audit of the case on a quiet machine would settle it.
    const isLeftByMachine = reason.state === 'open' && typeof mend === 'object'
    return {
      atBest: reason.atBest,
      state: reason.state,
      code: reason.finding.code,
      sentence: sentenceOf(reason.of, reason.finding),
      advice: mend === undefined ? null : mendInWords(mend),
      case:
        evidence.stories.find(({ play, arrivals }) => arrivals.length > 0 && play.case === reason.finding.facts.case)
          ?.play.case ?? null,
      leftOut: isPartial(evidence.audit.head.cases) && saysNotPlayed(reason.finding),
      stalledMs: isLeftByMachine ? stalledMs(evidence, reason.finding.facts.case) : null,
      witnesses: reason.finding.witnesses.slice(0, mostWitnesses).map(witnessText),
    }
  }),
})

const playRow = (story: Story, early: ReadonlySet<string>, withoutKey: number, amiss?: Amiss): ClientPlayRow => {
  const { play, arrivals, refusals, workers } = story
  const zero = arrivals[0]?.at ?? play.startedAt
  const until = new Map(refusals.map(({ arrival, named }) => [arrival.id, 'untilMs' in named ? named.untilMs : null]))
  const sinceZero = (at: number | null) => (at === null ? null : tidy(at - zero))
  const shown = arrivals.slice(0, mostArrivals).map((arrival) => ({
    ...arrival,
    at: tidy(arrival.at - zero),
    answeredAt: sinceZero(arrival.answeredAt),
    allowedFrom: sinceZero(until.get(arrival.id) ?? null),
    early: early.has(arrival.id),
  }))
  return clientPlayRow.parse({
    ...play,
    durationMs: tidy(play.endedAt - play.startedAt),
    watchedMs: tidy(play.endedAt - zero),
    workers,
    sent: arrivals.length,
    withoutKey,
    refused: refusals.length,
    served: arrivals.filter(({ status }) => status === 200).length,
    notAsAsked: amiss ? amissInWords(amiss) : null,
    arrivals: shown,
    arrivalsLeftOut: arrivals.length - shown.length,
  } satisfies ClientPlayRow)
}

const reasonOf = (verdict: Verdict, results: JudgedClient['checks']): string => {
  const telling = results.filter(({ finding }) => finding.verdict === verdict)
  return [...new Set(telling.map(({ check, finding }) => sentenceOf(check, finding)))].join('; ')
}

const clauseRows = ({ clauses }: JudgedClient): ClientReport['clauses'] =>
  clauses.map(({ clause: { id, level, source, sentence }, verdict, results }) => {
    const judging = results.filter((each) => each.level !== 'observe')
    const checks = judging.map(({ check }) => check.id)
    return { id, level, source, sentence, verdict, reason: reasonOf(verdict, judging), checks }
  })

/** A client that can't be graded, or had no reason to retry, is never green, whatever else held. */
const outcomeFor = (judged: JudgedClient, strict: boolean): Outcome => {
  const outcome = outcomeOf(
    judged.clauses.map(({ clause, verdict }) => ({ level: clause.level, verdict })),
    strict,
  )
  const showsNothing =
    judged.grade.letter === 'none' || judged.checks.some(({ finding }) => finding.code === 'stayed-away')
  return showsNothing && outcome === 'pass' ? 'inconclusive' : outcome
}

/** Builds the report of a judged audit. Pure: the same arrivals give the same report. */
export const buildClientReport = (audit: Audit, judged: JudgedClient, version: string): ClientReport => {
  const { head } = audit
  const evidence = clientEvidence(audit)
  const { stories } = evidence
  const outcome = outcomeFor(judged, head.strict)
  const tooEarly = [...earlyOnSeconds(evidence), ...earlyOnDate(evidence)].filter(({ certain }) => certain)
  const early = new Set(tooEarly.map(({ arrival }) => arrival.id))
  const amiss = amissByCase(stories)
  const grade = gradeRow(judged, evidence)
  const strangers = audit.arrivals.filter(({ credential }) => credential !== 'bearer')
  const spread = ownSchedule(stories).attempts.map(({ waitsMs }) => waitsMs.map(tidy))
  return {
    schemaVersion: clientReportVersion,
    kind: 'client',
    tool: { name: 'quotaspec', version },
    run: {
      id: head.id,
      scenario: head.scenario,
      startedAt: head.startedAt,
      durationMs: Math.round(audit.endedAt),
      strict: head.strict,
      exitCode: exitCodeOf(outcome, { interrupted: audit.interrupted, crashed: judged.crashed }),
      interrupted: audit.interrupted,
      command: head.command,
      environment: head.environment,
    },
    client: { command: head.client },
    outcome,
    headline: gradeHeadline(grade, head.cases),
    notes: clientNotes(judged, evidence),
    grade,
    retry: quickRetry(audit, grade.reasons),
    schedule: { ...judged.schedule, waitsMs: [...judged.schedule.waitsMs], spread },
    clauses: clauseRows(judged),
    checks: judged.checks.map((each) => checkRow(each)),
    plays: stories.map((story) => {
      const withoutKey = strangers.filter(({ play }) => play === story.play.id).length
      return playRow(story, early, withoutKey, amiss.get(story.play.case))
    }),
  }
}
