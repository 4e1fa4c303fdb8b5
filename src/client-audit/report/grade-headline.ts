import { exitCodes } from '../../assembly/exit-code.js'
import type { AuditHead } from '../../evidence/arrivals.js'
import { formatDuration } from '../../kit/words.js'
import type { Outcome } from '../../verdict/verdict.js'
import type { ClientGradeReason, ClientReport } from './model.js'

const letters: Readonly<Record<string, string>> = {
  A: 'stays clear of the limit, waits as told, and backs off by itself',
  B: 'waits as told, and backs off by itself',
  C: 'waits as told and grows its own waits, with flaws',
  D: 'keeps seconds, but not dates, or its waits do not grow',
  F: 'comes back while it is told to wait, hammers, or never ends',
}

type HeadlineReason = Pick<ClientGradeReason, 'atBest' | 'state' | 'sentence'> & Partial<ClientGradeReason>

type HeadlineGrade = Omit<ClientReport['grade'], 'reasons'> & { readonly reasons: readonly HeadlineReason[] }

/** A shorter stall (in milliseconds) was not seen by the controls: its time is not mentioned. */
const leastStallMs = 10

const stallInWords = ({ stalledMs, case: played }: HeadlineReason): string =>
  `this machine stalled${(stalledMs ?? 0) < leastStallMs ? '' : ` for ${formatDuration(stalledMs ?? 0)}`}${played == null ? '' : ` in ${played}`}`

/** What leaves a range of grades, and whether only the machine does: then the best grade is the likely one. */
const openPoints = ({ best, reasons }: HeadlineGrade) => {
  const open = reasons.filter(({ state, atBest }) => state === 'open' && atBest > best)
  const [first] = open
  const points = open.length === 1 ? 'one point is' : `${open.length} points are`
  return first && open.every(({ stalledMs }) => stalledMs != null)
    ? { likely: true, told: `${points} open because ${stallInWords(first)}` }
    : { likely: false, told: `${points} open${first ? `: ${first.sentence}` : ''}` }
}

const spanHeadline = (grade: HeadlineGrade): string => {
  const { best, worst } = grade
  const { likely, told } = openPoints(grade)
  return likely
    ? `Most likely ${best}, at worst ${worst}: ${told}`
    : `No grade: somewhere from ${worst} to ${best}; ${told}`
}

const fewCasesHeadline = ({ reasons }: HeadlineGrade, { played, of }: PlayedCases): string => {
  const [first] = reasons.filter(({ state, leftOut }) => state === 'stands' && leftOut !== true)
  return `Only ${played} of ${of} cases played: no grade; what they show: ${first?.sentence ?? 'nothing against it'}`
}

type PlayedCases = NonNullable<AuditHead['cases']>

/** Whether only some of the file's cases were played. */
export const isPartial = (cases: AuditHead['cases']): cases is PlayedCases => cases !== null && cases.played < cases.of

/** The audit's outcome in a sentence. `cases`: how many of the file's were played. */
export const gradeHeadline = (grade: HeadlineGrade, cases: PlayedCases | null = null): string => {
  const { letter } = grade
  if (letter === null) return isPartial(cases) ? fewCasesHeadline(grade, cases) : spanHeadline(grade)
  // The certain reason that costs most: an open one may weigh as much, but did not decide the grade.
  const first = grade.reasons.find(
    ({ atBest, state }) => state === 'stands' && [letter, 'F'].includes(atBest),
  )?.sentence
  if (letter === 'none') return `No grade: ${first ?? 'there is nothing to grade'}`
  return first === undefined || letter === 'A' ? `Grade ${letter}: ${letters[letter]}` : `Grade ${letter}: ${first}`
}

/** The same if this grade is, or may be, lower than the required one. */
const shortOfHeadline = (asked: string, grade: HeadlineGrade, cases: PlayedCases | null): string => {
  const { letter, best, worst } = grade
  if (letter === null && !isPartial(cases))
    return `Asked for at least ${asked}; the grade is ${best} to ${worst}: ${openPoints(grade).told}`
  return `Asked for at least ${asked}. ${gradeHeadline(grade, cases)}`
}

/** Letters compare alphabetically: the lower the grade, the greater its letter. */
const outcomeAgainst = ({ best, worst }: ClientReport['grade'], asked: string): Outcome =>
  worst <= asked ? 'pass' : best > asked ? 'fail' : 'inconclusive'

/** The command that requires this grade, whatever grade the audit itself required. */
const askingFor = (command: string, asked: string): string => {
  const [flags = '', ...client] = command.split(/(?= -- | --listen)/)
  const before = / --at-least \S+/
  const flag = ` --at-least ${asked}`
  return [before.test(flags) ? flags.replace(before, flag) : flags + flag, ...client].join('')
}

/** Compares an audit with the required grade: it passes if even the worst possible grade is good enough. */
export const heldAgainst = (
  judged: ClientReport,
  asked: string | undefined,
  cases: AuditHead['cases'],
): ClientReport => {
  if (asked === undefined) return judged
  const run = { ...judged.run, command: askingFor(judged.run.command, asked) }
  const retry = judged.retry && { ...judged.retry, command: askingFor(judged.retry.command, asked) }
  const report = { ...judged, run, retry }
  const outcome = run.exitCode === exitCodes.pass ? outcomeAgainst(report.grade, asked) : report.outcome
  if (outcome === report.outcome) return report
  const headline = shortOfHeadline(asked, report.grade, cases)
  return { ...report, outcome, headline, run: { ...run, exitCode: exitCodes[outcome] } }
}
