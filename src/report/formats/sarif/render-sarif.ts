import { visible } from '../../escape.js'
import type { Report } from '../../model.js'
import { type SarifFinding, sarifFindings } from './sarif-results.js'
import { sarifRules } from './sarif-rules.js'

export interface SarifPlace {
  /** The file that results stand in, from the root of the repository. */
  readonly file: string
  /** Where the report can be read; absent where it is nowhere. */
  readonly link?: string
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

/** A path as a relative URI, whatever its names hold. */
const uriOf = (file: string): string =>
  file
    .split(/[\\/]/)
    .map((name) => encodeURIComponent(visible(name)))
    .join('/')

/** A target is no file: it stands as a logical location, beside the file of the repository that viewers ask for. */
const locationOf = (report: Report, { file }: SarifPlace) => ({
  physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: 1 } },
  logicalLocations: [{ fullyQualifiedName: visible(report.target.baseUrl), kind: 'resource' }],
})

const moment = (ms: number): string | undefined => {
  const at = new Date(ms)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The harness came to an end by itself, whatever it found: neither interrupted nor brought down. */
const cameToAnEnd = ({ run }: Report): boolean => [0, 1, 2].includes(run.exitCode)

const invocationOf = (report: Report) => {
  const { run } = report
  const startedAt = Date.parse(run.startedAt)
  return {
    executionSuccessful: cameToAnEnd(report),
    exitCode: run.exitCode,
    startTimeUtc: moment(startedAt),
    endTimeUtc: moment(startedAt + run.durationMs),
  }
}

/**
 * The report as SARIF 2.1.0: a rule for each clause and gate, a result for each finding that is no pass. What was looked
 * at and not decided is of the kind `open`; what is waived is suppressed.
 */
export const renderSarif = (report: Report, place: SarifPlace): string => {
  const rules = sarifRules(report)
  const locations = [locationOf(report, place)]
  const result = (finding: SarifFinding) => ({
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
