import { clip, visible } from '../../escape.js'
import type { CheckRow, GateRow, Report } from '../../model.js'
import { breaksRun, brokenWaivers, undecided } from '../../summary.js'
import { ruleOfGate, ruleOfRun, ruleOfWaivers } from './sarif-rules.js'

const longestMessage = 2_000

interface Suppression {
  readonly kind: 'external'
  readonly status: 'accepted'
  readonly justification: string
}

/** What SARIF says of one finding, without where it stands. */
export interface SarifFinding {
  readonly ruleId: string
  readonly kind: 'fail' | 'open'
  readonly level: 'error' | 'warning' | 'none'
  readonly message: { readonly text: string }
  readonly suppressions?: readonly Suppression[]
  /** What stays the same from run to run, so that a reader knows the finding again. */
  readonly partialFingerprints: { readonly 'quotaspecFinding/v1': string }
  readonly properties?: { readonly check: string; readonly witnesses: readonly string[] }
}

/** Text as SARIF has it, where `[a](b)` is a link and `{0}` stands for an argument: neither is made. */
const text = (value: string) => ({
  text: visible(clip(value, longestMessage))
    .replace(/\](?=\()/g, '] ')
    .replace(/\{(\d+)\}/g, '{{$1}}'),
})

const finding = (
  ruleId: string,
  subject: string,
  message: string,
  grave: Pick<SarifFinding, 'kind' | 'level'>,
): SarifFinding => ({
  ruleId: visible(ruleId),
  ...grave,
  message: text(message),
  partialFingerprints: { 'quotaspecFinding/v1': visible(`${ruleId} ${subject}`) },
})

const failed = { kind: 'fail', level: 'error' } as const
const warned = { kind: 'fail', level: 'warning' } as const
/** SARIF's word for what was looked at and could not be decided. */
const open = { kind: 'open', level: 'none' } as const

const waivedWords = ({ until, owner, reason }: NonNullable<CheckRow['waived']>): string =>
  `Waived until ${until} by ${owner}: ${reason}`

const suppressed = (waived: CheckRow['waived']): Pick<SarifFinding, 'suppressions'> =>
  waived === null
    ? {}
    : { suppressions: [{ kind: 'external', status: 'accepted', justification: visible(waivedWords(waived)) }] }

/** The message begins with what a reader has to know who sees neither kinds nor suppressions. */
const messageOf = (message: string, { kind }: Pick<SarifFinding, 'kind'>, waived: CheckRow['waived']): string =>
  waived !== null ? `${waivedWords(waived)} ${message}` : kind === 'open' ? `Could not check: ${message}` : message

/** The clause of a check that the finding is about: of several the first that has the check's verdict. */
const clauseOf = (report: Report, check: CheckRow): string =>
  check.clauses.find((id) => report.clauses.some((clause) => clause.id === id && clause.verdict === check.verdict)) ??
  check.clauses[0] ??
  ruleOfRun

const ofCheck = (report: Report, check: CheckRow): SarifFinding => {
  const grave = check.verdict !== 'fail' ? open : breaksRun(report, check.level) ? failed : warned
  const told = `${check.message.replace(/\.?$/, '.')} Repeat: ${check.command}`
  return {
    ...finding(clauseOf(report, check), check.id, messageOf(told, grave, check.waived), grave),
    ...suppressed(check.waived),
    properties: { check: visible(check.id), witnesses: check.witnesses.map(visible) },
  }
}

const ofGate = (gate: GateRow): SarifFinding => {
  const grave = gate.verdict === 'fail' ? failed : open
  const told = `${gate.sentence} Limit ${gate.limit}, value ${gate.value}.`
  return {
    ...finding(ruleOfGate(gate.id), gate.id, messageOf(told, grave, gate.waived), grave),
    ...suppressed(gate.waived),
  }
}

/** The gate on the level says what the clauses say. */
const openGates = ({ gates }: Report): GateRow[] =>
  gates.filter(({ id, verdict }) => id !== 'level' && (verdict === 'fail' || verdict === 'inconclusive'))

/** What fails the run, what leaves it open, what only warns and what is waived. A run that is not green has one at least. */
export const sarifFindings = (report: Report): SarifFinding[] => {
  const broken = report.checks.filter(({ verdict }) => verdict === 'fail')
  const all = [
    ...[...broken, ...undecided(report)].map((check) => ofCheck(report, check)),
    ...openGates(report).map(ofGate),
    ...brokenWaivers(report).map(({ id, sentence }) => finding(ruleOfWaivers, id, sentence, failed)),
  ]
  const counts = all.some(({ kind, level, suppressions }) => (kind === 'open' || level === 'error') && !suppressions)
  if (report.outcome === 'pass' || counts) return all
  return [finding(ruleOfRun, 'outcome', report.headline, report.outcome === 'fail' ? failed : open), ...all]
}
