import { planName } from '../../../contract/plans.js'
import { count } from '../../../kit/count.js'
import { formatDuration } from '../../../kit/duration.js'
import type { CheckRow, QuotaRow, Report } from '../../model.js'
import {
  clausesPhrase,
  counted,
  countUnrestored,
  expectedOf,
  failures,
  followsInWords,
  modelsPhrase,
  quotaName,
  requestTotals,
  sentenceOf,
  undecided,
  warnings,
} from '../../summary.js'
import { heldBy } from '../../wording/held-by.js'
import { lateLoadsInWords } from '../../wording/late-loads.js'
import { limiterCostInWords } from '../../wording/limiter-cost.js'
import { beyondLimitInWords } from '../../wording/most-admitted.js'
import { inAllInWords, waivedInWords } from '../../wording/quota-standing.js'
import { aloneTimeAside } from '../../wording/repeating/alone-time.js'
import { setFirstInWords } from '../../wording/repeating/set-first.js'
import { code, outcomeMark, table, text, verdictMark } from './markdown-text.js'
import { proofBlock } from './proof-block.js'

/** How many findings of one kind are told in full; a job summary is read, not searched. */
const mostTold = 20

const waivedMark = '⏸ waived'

const follows = (check: CheckRow): string[] | undefined => {
  const told = followsInWords(check)
  return told === undefined ? undefined : [`  - ${text(told)}`]
}

const findings = (report: Report, title: string, checks: readonly CheckRow[]): string[] => {
  if (checks.length === 0) return []
  const told = checks
    .slice(0, mostTold)
    .flatMap((check) => [
      `- **${check.clauses.map(text).join(', ')}** ${text(sentenceOf(report, check.clauses[0] ?? ''))}`,
      ...(expectedOf(report, check) === '' ? [] : [`  - Expected: ${text(expectedOf(report, check))}`]),
      `  - Seen: ${text(check.message)}`,
      ...(check.advice === null ? [] : [`  - Next: ${text(check.advice)}`]),
      ...(follows(check) ?? []),
      `  - Repeat${aloneTimeAside(check)}: ${code(check.command)}`,
      ...proofBlock(report, check),
    ])
  const left = checks.length - mostTold
  return [`### ${title}`, '', ...told, ...(left > 0 ? [`- and ${count(left)} more, see the report`] : []), '']
}

const gates = (report: Report): string[] => {
  if (report.gates.length === 0) return []
  const rows = report.gates.map((gate) => [
    gate.waived === null ? verdictMark[gate.verdict] : waivedMark,
    text(gate.sentence),
    text(gate.limit),
    text(gate.value),
  ])
  return ['### Gates', '', ...table(['', 'Gate', 'Limit', 'Value'], rows)]
}

const waiverMark = {
  applied: waivedMark,
  expired: '❌ ended',
  'passes-now': '❌ not needed',
  unused: '– unused',
} as const

const waivers = (report: Report): string[] => {
  if (report.waivers.length === 0) return []
  const rows = report.waivers.map((each) => [
    waiverMark[each.state],
    text(each.sentence),
    text(each.reason),
    text(each.owner),
    text(each.until),
  ])
  return ['### Waivers', '', ...table(['', 'What became of it', 'Reason', 'Owner', 'Until'], rows)]
}

const quotaWithSpread = (report: Report, quota: QuotaRow): string => {
  const inAll = inAllInWords(report, quota)
  return `${quotaName(quota, ', ')}${inAll === undefined ? '' : ` (${inAll})`}`
}

const plans = (report: Report): string[] => {
  if (report.quotas.length === 0) return []
  const rows = report.quotas.map((quota) => [
    text(quotaWithSpread(report, quota)),
    ...[quota.limit, quota.sent, quota.admitted, quota.refused, quota.unknown].map(count),
    waivedInWords(report, quota) === undefined ? verdictMark[quota.verdict] : waivedMark,
    text(
      [beyondLimitInWords(quota), modelsPhrase(quota), waivedInWords(report, quota)]
        .filter((each) => each !== undefined)
        .join('; '),
    ),
  ])
  const { one, many } = heldBy(report)
  const head = [one, 'Limit', 'Sent', 'Admitted', 'Refused', 'Unclear', 'Verdict', 'Counts like']
  return [`### ${many}`, '', ...table(head, rows)]
}

const limiterCosts = ({ limiterCosts: rows }: Report): string[] =>
  rows.length === 0
    ? []
    : [
        '### What the limiter costs',
        '',
        ...rows.map((row) => `- ${text(planName(row.plan))}: ${text(limiterCostInWords(row))}`),
        '',
      ]

const inventory = (report: Report): string[] => {
  if (report.target.contract !== undefined) return []
  const { changed, unseen } = countUnrestored(report)
  if (report.restored) return ['inventory restored']
  return [
    ...(changed > 0 ? [`**inventory not restored** (${counted(changed, 'pet')})`] : []),
    ...(unseen > 0 ? [`**inventory could not be looked at** (${counted(unseen, 'pet')})`] : []),
  ]
}

const counts = (report: Report): string => {
  const spent = requestTotals(report)
  return [
    `Clauses: ${clausesPhrase(report)}`,
    `${count(spent.spent)} requests of a budget of ${count(spent.planned)}`,
    formatDuration(report.run.durationMs),
    ...inventory(report),
  ].join(' · ')
}

/** The report for a pull request or a job summary: the verdict, what failed, the gates, the waivers, the plans. Nothing in it links or mentions. */
export const renderMarkdown = (report: Report): string => {
  const late = lateLoadsInWords(report)
  const setFirst = setFirstInWords(report)
  return [
    `## ${outcomeMark[report.outcome]}: ${text(report.headline)}`,
    '',
    `${code(report.run.scenario)} against ${code(report.target.baseUrl)}`,
    '',
    counts(report),
    '',
    ...(late === undefined ? [] : [text(late), '']),
    ...(report.rerun === null ? [] : [text(report.rerun.sentence), '']),
    ...(setFirst === undefined ? [] : [text(setFirst), '']),
    ...findings(report, 'What failed', failures(report)),
    ...findings(report, 'Inconclusive', undecided(report)),
    ...gates(report),
    ...waivers(report),
    ...plans(report),
    ...limiterCosts(report),
    ...findings(report, 'Warnings', warnings(report)),
  ].join('\n')
}
