import type { Check } from '../checks/framework/check.js'
import type { Evidence } from '../evidence/evidence.js'
import type { BlockReason, Obstacle, RunEndCause, SkipReason } from '../evidence/journal.js'
import { isStalled } from '../evidence/ledger.js'
import { fewOf, formatDuration, listInWords } from '../kit/words.js'
import type { DoubtReason } from '../oracle/judge-quota.js'
import { viewOf } from '../readings/quota-views.js'
import { breaksRun } from '../report/findings.js'
import { clausesOfGate } from '../report/model/gates.js'
import type { CheckRow, ClauseRow, Report, Rerun } from '../report/model.js'
import type { CheckResult, Given } from '../run/judge.js'
import type { Finding, Verdict } from '../verdict/verdict.js'

/** Whether another run could settle what this one left open, and what was in the way; for a `no`, what to do first. */
type RerunHelps = Omit<Reason, 'of'>

const maybe = (why: string): RerunHelps => ({ helps: 'maybe', why })
const no = (why: string): RerunHelps => ({ helps: 'no', why })
const unknown = (why: string): RerunHelps => ({ helps: 'unknown', why })

const fresherDay = no('use a key with more left of its day or longer quotas, or wait until these reset')
const longerDay = no('use a key with a larger day: at least twice its minute and 22 more')
const readableList = unknown('the list could not be read')
const mendLimit = no('fix the limit that is broken')
const silent = unknown('the target gave no answer')

const byDoubt: Readonly<Record<DoubtReason, RerunHelps>> = {
  'key-not-quiet': no('use a key that nobody else spends meanwhile'),
  'limit-never-reached': unknown('too little was answered within one window'),
  'answers-lost': unknown('too many answers were lost'),
  'generator-late': maybe('this machine could not send the load on time'),
  'clock-unsure': unknown("an agent's clock was too uncertain"),
  'load-ended-early': unknown('a load ended early'),
  'day-may-have-ended': maybe('a day may have ended within the run'),
  'used-before': no('set unused: true in the scenario if the key was never used before, or use a new key'),
}

type Cause = SkipReason | BlockReason | RunEndCause | 'interrupted' | 'not played'

/** The same for what kept a probe from being played, or ended the run. */
const rerunByCause: Readonly<Record<Cause, RerunHelps>> = {
  'inventory-empty': no('put pets into the inventory'),
  'no-large-ids': no('add a pet with an id above 2^53'),
  'read-only': no('leave out --read-only'),
  'day-too-small': fresherDay,
  'inventory-unreadable': readableList,
  'still-refused': unknown('the target kept refusing after each wait that it had named'),
  'day-spent': fresherDay,
  'no-answer': silent,
  'agents-lost': unknown('no agent was left to send the load'),
  'load-not-allowed': no('allow load with --allow-load'),
  'long-wait': no('wait as long as the target asked, or use another key'),
  'server-errors': unknown('the target answered a load with 5xx'),
  'requests-spent': unknown("a probe's planned requests ran out before it ended"),
  'time-limit': unknown('the time limit of the run was reached'),
  'target-silent': unknown('the target stopped answering'),
  'event-failed': no('fix the command of the event that failed'),
  'journal-broken': no('check why the journal could not be written: the disk may be full'),
  'one-key-a-plan': no('give a second key of one plan'),
  'no-key-to-spare': no('give a second key of a smaller plan'),
  interrupted: unknown('a probe was interrupted'),
  'not played': unknown('the run ended before a probe was played'),
}

const isCause = (reason: string): reason is Cause => Object.hasOwn(rerunByCause, reason)

/** A finding whose types do not tell whether it leaves its check open: there must be none. */
type Untold<F> = F extends Finding ? (Verdict extends F['verdict'] ? F['code'] : never) : never

type Open = Extract<Given, { readonly verdict: 'inconclusive' }>

/** What to say about a code; a function if its facts matter, or whether the check can have its probe played again. */
type Said<F> = RerunHelps | ((facts: F, asksAgain: boolean) => RerunHelps)

/** A missing code that leaves a check open does not compile. */
const byCode: { readonly [C in Open['code']]: Said<Extract<Open, { readonly code: C }>['facts']> } & {
  readonly [C in Untold<Given>]: never
} = {
  // Only the first look was played: its obstacle says why.
  'ended-at-first-look': unknown('the run ended at its first look'),
  'probe-incomplete': ({ reason }) => (isCause(reason) ? rerunByCause[reason] : unknown('a probe did not end')),
  'check-crashed': no('please report this: a check itself failed'),
  'no-room-in-day': fresherDay,
  'no-answer': unknown('a request was not answered'),
  'control-failed': unknown('a control request was not accepted'),
  'not-told': (_, asksAgain) =>
    asksAgain ? maybe('by chance, this run saw too little evidence') : unknown('there was not enough evidence'),
  'quota-not-judged': ({ reason }) => byDoubt[reason],
  'event-effect-unknown': maybe('by chance, the requests around the event showed too little'),
  'defect-may-hide': ({ tooSmallDay }) =>
    tooSmallDay === null ? maybe('by chance, this run sent its requests at moments that show too little') : longerDay,
  'day-not-judged': ({ reason }) => byDoubt[reason],
  'day-not-ended': fresherDay,
  'admits-too-many': mendLimit,
  'plain-quota-open': ({ doubt }) => (doubt === null ? mendLimit : byDoubt[doubt]),
  'spellings-share-more': maybe('by chance, this run tried other spellings while tokens came back'),
  'broken-the-other-way': mendLimit,
  'held-by-another-key': no('fix that one key spends the quota of another'),
  'key-spent-already': maybe('a key had been spent shortly before'),
  'second-key-not-answered': unknown('a second key was not answered'),
  'operation-untold': unknown('too few answers show how much a request lowers Remaining'),
  'refused-by-likely-clock': no('have the target send a Date header'),
  'reset-by-another-clock': unknown("the target's clock is too uncertain"),
  'slow-within-limit': unknown('the target or the machine was slow'),
  'empty-at-first': maybe('somebody may have filled the inventory as the run began'),
  'list-torn': unknown('a list was wrong while pets were changed'),
  'others-changed-beside': unknown('entries changed beside a PATCH of another'),
  'held-back-once': maybe('a stalled machine may have held a request back'),
  'bodies-without-end': unknown('bodies did not end'),
  'others-banned-later': no('let the clients of compliant-clients wait as often, on a key that no load has spent'),
  'obedient-cut-short': unknown('the clients that wait as told ran out of time'),
  'wait-overtaken': maybe('a wait was overtaken by other requests'),
  'no-usable-wait': no('have the target name a wait in its refusals'),
  'key-not-accepted': no('give keys that the target accepts'),
  'base-serves-nothing': unknown('nothing was answered 200'),
  'list-unreadable': readableList,
  'bodies-unread': unknown('bodies were too long, or took too long, to be read'),
  'bucket-shown-short': unknown('a bucket that gets tokens in lumps shows the same as one that counts too much'),
  'rounded-up-or-not-counted': unknown('a bucket that rounds up shows the same as one that does not count'),
  'somebody-else-spends': byDoubt['key-not-quiet'],
  'somebody-else-writes': no('use an inventory that nobody else writes to'),
  'walk-not-repeated': maybe('a possible breach was seen only once'),
  'change-lost-once': maybe('a possible breach was seen only once'),
  'status-changed-once': maybe('a possible breach was seen only once'),
}

/** Whether another run could settle what this finding leaves open. */
const rerunHelps = ({ again }: Pick<Check, 'again'>, finding: Finding): RerunHelps => {
  const all: Readonly<Record<string, Said<never>>> = byCode
  if (!Object.hasOwn(all, finding.code)) return unknown('the check does not say')
  const said = all[finding.code]
  if (typeof said !== 'function') return said
  const ways = [again ?? []].flat()
  return said(
    finding.facts as never,
    ways.some(({ settings }) => settings(finding) !== undefined),
  )
}

type Reason = Rerun['reasons'][number]
type Settled = Pick<Report, 'run' | 'clauses' | 'checks' | 'gates'>

const byObstacle: Readonly<Record<Obstacle['kind'], RerunHelps>> = {
  unreachable: unknown('the target could not be reached'),
  untrusted: no("trust the target's certificate with --ca, or have it fixed"),
  'other-base': no('give the address under which the operations answer'),
  'no-inventory': no('give the address of a Petstore, or pass a contract file'),
  'key-rejected': no('give keys that the target accepts'),
  'server-error': unknown('the target answered 5xx at first'),
  'load-not-allowed': no('allow load with --allow-load'),
}

const ofRun = (each: RerunHelps): Reason => ({ of: 'run', ...each })

/** Obstacles at the address and with the keys, including what the run was told to do without. */
const atFirstLook = ({ firstLook }: Evidence): Reason[] =>
  (firstLook?.obstacles ?? [])
    .filter(({ kind }) => firstLook?.ended || kind !== 'server-error')
    .map(({ kind }) => ofRun(byObstacle[kind]))

const openClauses = ({ run, clauses }: Settled, isShouldGated: boolean): ClauseRow[] =>
  clauses.filter(
    ({ level, verdict, waived }) =>
      verdict === 'inconclusive' &&
      waived === null &&
      (breaksRun({ run }, level) || (isShouldGated && level === 'should')),
  )

/** What leaves a clause open: a check that yields to another counts only if no other is open. */
const ofClause = ({ id }: ClauseRow, checks: readonly CheckRow[], results: readonly CheckResult<Check>[]): Reason[] => {
  const open = results.filter(
    ({ check, finding }) => finding.verdict === 'inconclusive' && check.clauses.some((clause) => clause === id),
  )
  const whole = open.filter(({ check }) => check.yields !== true)
  return (whole.length > 0 ? whole : open).flatMap(({ check, finding }): Reason[] => {
    const row = checks.find((each) => each.id === check.id)
    if (row?.waived) return []
    const causes = row?.followsFrom ?? []
    return [{ of: id, ...(causes.length > 0 ? no(`mend ${listInWords(causes)}`) : rerunHelps(check, finding)) }]
  })
}

/** Gates on figures that were not measured, unless an open clause says the same. */
const ofGates = ({ gates }: Settled, open: readonly ClauseRow[], { run }: Evidence): Reason[] =>
  gates
    .filter(({ id, verdict, waived }) => id !== 'level' && verdict === 'inconclusive' && waived === null)
    .filter(({ id }) => !clausesOfGate(id).some((clause) => open.some((each) => each.id === clause)))
    .map(({ id }) => ({
      of: id,
      ...(run.withoutLoad ? byObstacle['load-not-allowed'] : unknown('nothing was measured for a gate')),
    }))

const ofMachine = (evidence: Evidence): Reason[] => {
  const longestMs = Math.max(0, ...evidence.ledgers.map(({ head }) => head.stoodStillMs))
  if (!isStalled({ stoodStillMs: longestMs }, viewOf(evidence).windowMs)) return []
  const stood = `this machine stalled for up to ${formatDuration(longestMs)} while it sent loads`
  return [ofRun(maybe(`${stood}, so try a quieter one`))]
}

const nothingProven = no('choose a scenario and keys that test a must rule')

/** What left a run open, and for each whether another run could settle it. */
const reasonsOf = (
  evidence: Evidence,
  results: readonly CheckResult<Check>[],
  settled: Settled,
  isShouldGated: boolean,
): Reason[] => {
  const { firstLook, endedBy, unrestored } = evidence
  if (firstLook?.ended) return atFirstLook(evidence)
  const open = openClauses(settled, isShouldGated)
  const isProven = settled.clauses.some(({ level, verdict }) => level === 'must' && verdict === 'pass')
  return [
    ...atFirstLook(evidence),
    ...(endedBy ? [ofRun(rerunByCause[endedBy])] : []),
    ...(unrestored.length > 0 ? [ofRun(no('put back the pets that were left changed'))] : []),
    ...(open.length > 0 ? ofMachine(evidence) : []),
    ...open.flatMap((clause) => ofClause(clause, settled.checks, results)),
    ...(isProven ? ofGates(settled, open, evidence) : []),
    ...(isProven || open.length > 0 ? [] : [ofRun(nothingProven)]),
  ]
}

const beginnings: Readonly<Record<Rerun['helps'], string>> = {
  maybe: 'Another run may help',
  no: 'Another run helps only after a change',
  unknown: 'Another run may or may not help',
}

const mostTold = 2

const mostNamed = 3

const named = (ids: readonly string[]): string => {
  const told = [...new Set(ids)].filter((id) => id !== 'run')
  return told.length === 0 ? '' : ` (${listInWords(fewOf(told, mostNamed))})`
}

/** Whether another run helps, in a sentence, with the deciding reasons. */
const rerunInWords = (helps: Rerun['helps'], reasons: Rerun['reasons']): string => {
  const deciding = reasons.filter((each) => each.helps === helps)
  const causes = [...new Set(deciding.map(({ why }) => why))]
  const told = causes.map((why) => `${why}${named(deciding.flatMap((each) => (each.why === why ? [each.of] : [])))}`)
  return `${beginnings[helps]}: ${fewOf(told, mostTold).join('; ')}.`
}

/** For an inconclusive run: whether repeating it could settle it. One lasting reason is enough for a no. */
export const rerunOf = (
  evidence: Evidence,
  results: readonly CheckResult<Check>[],
  settled: Settled,
  isShouldGated: boolean,
): Rerun => {
  const found = reasonsOf(evidence, results, settled, isShouldGated)
  const reasons = found.length > 0 ? found : [ofRun(unknown('no cause was recorded'))]
  const helps = (['no', 'unknown'] as const).find((each) => reasons.some((reason) => reason.helps === each)) ?? 'maybe'
  return { helps, sentence: rerunInWords(helps, reasons), reasons }
}
