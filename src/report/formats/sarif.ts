import { clip, visible } from '../escape.js'
import { breaksRun, gateInWords, undecided, waivedNote } from '../findings.js'
import type { CheckRow, GateRow, Report } from '../model.js'
import { brokenWaivers } from '../summary.js'

const rule = (id: string, text: string, help: string, level: 'error' | 'warning' | 'note', tag: string) => ({
  id: visible(id),
  shortDescription: { text: visible(text) },
  fullDescription: { text: visible(text) },
  help: { text: visible(help) },
  defaultConfiguration: { level },
  properties: { tags: ['quotaspec', visible(tag)] },
})

const levelWords = {
  must: 'The interface says so: a breach fails the run.',
  should: 'A standard or good sense says so: a breach is a warning, and fails a strict run.',
  observe: 'The interface leaves it open: the report says what the target does.',
} as const

const gateHelp = 'The scenario sets this gate on a figure that the run measures.'
const waiverHelp = 'Remove a waiver that is no longer needed. If one has ended, fix the failure or renew the waiver.'
const runHelp = 'The report says what to do.'

const clauseRules = (report: Report) =>
  report.clauses.map(({ id, sentence, level, area, source }) => {
    const of = level === 'observe' ? 'note' : breaksRun(report, level) ? 'error' : 'warning'
    const base = rule(id, sentence, `${levelWords[level]} Source: ${source}.`, of, area)
    return { ...base, properties: { ...base.properties, level, source: visible(source) } }
  })

const ruleOfGate = (id: string): string => `gate.${id}`
const ruleOfWaivers = 'waiver'
const ruleOfRun = 'run'

/** A rule for each clause, each gate, and whatever else can fail a run; ids are unique, as the format requires. */
const sarifRules = (report: Report) => {
  const all = [
    ...clauseRules(report),
    ...report.gates.map((gate) => rule(ruleOfGate(gate.id), gate.sentence, gateHelp, 'error', 'gate')),
    rule(ruleOfWaivers, 'A waiver has not ended, and is still needed.', waiverHelp, 'error', 'waiver'),
    rule(ruleOfRun, 'The run reaches a verdict, and passes.', runHelp, 'error', 'run'),
  ]
  return [...new Map(all.map((each) => [each.id, each])).values()]
}

const longestMessage = 2_000

type Grave = typeof failed | typeof warned | typeof open

/** Text in SARIF, where `[a](b)` is a link and `{0}` an argument: both are defused. */
const text = (value: string) => ({
  text: visible(clip(value, longestMessage))
    .replace(/\](?=\()/g, '] ')
    .replace(/\{(\d+)\}/g, '{{$1}}'),
})

const finding = (
  ruleId: string,
  subject: string,
  message: string,
  grave: Grave,
  waived: CheckRow['waived'] = null,
) => ({
  ruleId: visible(ruleId),
  ...grave,
  message: text(message),
  // Stable from run to run, so that readers recognise the finding.
  partialFingerprints: { 'quotaspecFinding/v1': visible(`${ruleId} ${subject}`) },
  ...(waived !== null && {
    suppressions: [{ kind: 'external', status: 'accepted', justification: visible(waivedNote(waived)) }],
  }),
})

const failed = { kind: 'fail', level: 'error' } as const
const warned = { kind: 'fail', level: 'warning' } as const
/** SARIF's term for what was examined but could not be decided. */
const open = { kind: 'open', level: 'none' } as const

/** The message starts with what readers must know who see neither kinds nor suppressions. */
const messageOf = (message: string, { kind }: Grave, waived: CheckRow['waived']): string =>
  waived !== null ? `${waivedNote(waived)} ${message}` : kind === 'open' ? `Could not check: ${message}` : message

/** The clause that a check's finding is about: if it has several, the first with the check's verdict. */
const clauseOf = (report: Report, check: CheckRow): string =>
  check.clauses.find((id) => report.clauses.some((clause) => clause.id === id && clause.verdict === check.verdict)) ??
  check.clauses[0] ??
  ruleOfRun

const ofCheck = (report: Report, check: CheckRow) => {
  const grave = check.verdict !== 'fail' ? open : breaksRun(report, check.level) ? failed : warned
  const told = `${check.message.replace(/\.?$/, '.')} Repeat: ${check.command}`
  return {
    ...finding(clauseOf(report, check), check.id, messageOf(told, grave, check.waived), grave, check.waived),
    properties: { check: visible(check.id), witnesses: check.witnesses.map(visible) },
  }
}

const ofGate = (gate: GateRow) => {
  const grave = gate.verdict === 'fail' ? failed : open
  const told = gateInWords(gate)
  return finding(ruleOfGate(gate.id), gate.id, messageOf(told, grave, gate.waived), grave, gate.waived)
}

/** The gate on the level repeats what the clauses say. */
const openGates = ({ gates }: Report): GateRow[] =>
  gates.filter(({ id, verdict }) => id !== 'level' && (verdict === 'fail' || verdict === 'inconclusive'))

/** What fails the run, leaves it open, only warns, or is waived. A run that does not pass has at least one. */
const sarifFindings = (report: Report) => {
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

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

/** A path as a relative URI, whatever characters its names contain. */
const uriOf = (file: string): string =>
  file
    .split(/[\\/]/)
    .map((name) => encodeURIComponent(visible(name)))
    .join('/')

/** A target is not a file: it is a logical location, next to the repository file that viewers require. */
const locationOf = (report: Report, file: string) => ({
  physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: 1 } },
  logicalLocations: [{ fullyQualifiedName: visible(report.target.baseUrl), kind: 'resource' }],
})

const moment = (ms: number): string | undefined => {
  const at = new Date(ms)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

const invocationOf = ({ run }: Report) => {
  const startedAt = Date.parse(run.startedAt)
  return {
    // The harness finished by itself, whatever it found: it was neither interrupted nor crashed.
    executionSuccessful: [0, 1, 2].includes(run.exitCode),
    exitCode: run.exitCode,
    startTimeUtc: moment(startedAt),
    endTimeUtc: moment(startedAt + run.durationMs),
  }
}

/** The report as SARIF 2.1.0: a rule for each clause and gate, a result for each finding that is not a pass. */
export const renderSarif = (report: Report, place: { file: string; link?: string }): string => {
  const rules = sarifRules(report)
  const locations = [locationOf(report, place.file)]
  const result = (finding: ReturnType<typeof sarifFindings>[number]) => ({
    ...finding,
    ruleIndex: rules.findIndex(({ id }) => id === finding.ruleId),
    locations,
    ...(place.link !== undefined && { hostedViewerUri: place.link }),
  })
  const run = {
    tool: { driver: { name: report.tool.name, version: visible(report.tool.version), rules } },
    automationDetails: { id: visible(`quotaspec/${report.run.scenario}/${report.run.id}`) },
    invocations: [invocationOf(report)],
    columnKind: 'utf16CodeUnits',
    results: sarifFindings(report).map(result),
  }
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}
