import { planName } from '../../contract/plans.js'
import { capital, count, counted, formatDuration, present } from '../../kit/words.js'
import { excludedInWords, measuredInWords, openInWords } from '../certificate.js'
import { clip, markdownCode, visible } from '../escape.js'
import {
  breachFirst,
  exactMoment,
  failures,
  findingLines,
  ruleInWords,
  storyOf,
  storySteps,
  undecided,
  warnings,
} from '../findings.js'
import type { CheckRow, QuotaRow, Report, WitnessRow } from '../model.js'
import {
  besideLimitInWords,
  brokenQuotas,
  inAllInWords,
  modelsPhrase,
  quotaName,
  subjectOf,
  toldCounts,
  waivedInWords,
} from '../quotas.js'
import { aloneTimeAside, setFirstInWords } from '../repeating.js'
import { clausesPhrase, countUnrestored, lateLoadsInWords, limiterCostInWords, requestTotals } from '../summary.js'

const longestText = 400

export const outcomeMark = { pass: '✅ PASS', fail: '❌ FAIL', inconclusive: '❔ INCONCLUSIVE' } as const

export const verdictMark = {
  pass: '✅ pass',
  fail: '❌ fail',
  inconclusive: '❔ inconclusive',
  observed: '👁 observed',
  'not-tested': '– not tested',
} as const

/** Text in Markdown, without markup, link or mention. A comment splits what GitHub and GitLab would link themselves. */
const markdownText = (text: string): string =>
  visible(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]|~$]/g, '\\$&')
    .replace(/(?<=^|\s)([-+=]|\d+[.)])(?=\s|$)/g, (found) =>
      /^\d/.test(found) ? found.replace(/[.)]/, '\\$&') : `\\${found}`,
    )
    .replace(/[@#!](?=[\w[<\\])|:(?=\/\/)|(?<=www)\./gi, '$&<!-- -->')

/** A report's text in Markdown: at most 400 characters, with no active markup. */
export const text = (value: string): string => markdownText(clip(value, longestText))

export const code = (value: string): string => markdownCode(clip(value, longestText))

/** The lines of a table, plus an empty one. The cells are Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), '']
}

const longestPath = 120
const longestValue = 60

/** A quota's headers, whatever an API calls them. */
const ofQuota = /rate-?limit|retry-after|remaining|reset/i

const matters = ({ headers }: CheckRow, name: string): boolean =>
  ofQuota.test(name) || headers.some((each) => each.toLowerCase() === name.toLowerCase())

const pathOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

const lineOf = (check: CheckRow, { sentAt, request, response }: WitnessRow): string => {
  const headers = (response?.headers ?? []).filter(([name]) => matters(check, name))
  return [
    `${exactMoment(sentAt)}  ${visible(clip(`${request.method} ${pathOf(request.url)}`, longestPath))} → ${response?.status ?? 'no answer'}`,
    ...headers.map(([name, value]) => visible(clip(`${name}: ${value}`, longestValue))),
  ].join('  ')
}

/** The answers in the picture of a broken limit, for the smallest plan. */
const crossing = (report: Report, check: CheckRow): string[] =>
  brokenQuotas(report, check)
    .find(({ breach }) => breach?.shownBy)
    ?.breach?.shownBy?.map(({ id }) => id) ?? []

/** The exchanges that prove a failure together; if each proves it alone, the first. */
const proofOf = (report: Report, check: CheckRow): readonly WitnessRow[] => {
  const byId = new Map(report.exchanges.map((x) => [x.id, x]))
  const rows = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const crossed = rows(crossing(report, check))
  if (crossed.length > 0) return crossed
  const seen = rows(breachFirst(check))
  const story = storyOf(check)
  const steps = story === undefined ? [] : storySteps(story, seen)
  return steps.length > 0 ? steps : seen.slice(0, 1)
}

/** The exchanges that show a failure, as a code block below a list item, one per line, without markup; empty if none. */
export const proofBlock = (report: Report, check: CheckRow): string[] => {
  const lines = check.verdict === 'fail' ? proofOf(report, check).map((x) => lineOf(check, x)) : []
  if (lines.length === 0) return []
  const longest = Math.max(...(lines.join(' ').match(/`+/g) ?? ['']).map(({ length }) => length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].map((line) => `  ${line}`)
}

/** How many findings of each kind are shown in full; a job summary is read, not searched. */
const mostTold = 20

const waivedMark = '⏸ waived'

const findings = (report: Report, title: string, checks: readonly CheckRow[]): string[] => {
  if (checks.length === 0) return []
  const told = checks
    .slice(0, mostTold)
    .flatMap((check) => [
      `- **${check.clauses.map(text).join(', ')}** ${text(ruleInWords(report, check.clauses[0] ?? ''))}`,
      ...findingLines(report, check).map(([label, told]) => `  - ${capital(label)}: ${text(told)}`),
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
  return ['### Waivers', '', ...table(['', 'State', 'Reason', 'Owner', 'Until'], rows)]
}

const quotaWithSpread = (report: Report, quota: QuotaRow): string => {
  const inAll = inAllInWords(report, quota)
  return `${quotaName(quota, ', ')}${inAll === undefined ? '' : ` (${inAll})`}`
}

const plans = (report: Report): string[] => {
  if (report.quotas.length === 0) return []
  const rows = report.quotas.map((quota) => {
    const { sent, admitted, refused, unknown } = toldCounts(quota)
    const waived = waivedInWords(report, quota)
    return [
      text(quotaWithSpread(report, quota)),
      ...[quota.limit, sent, admitted, refused, unknown].map(count),
      waived === undefined ? verdictMark[quota.verdict] : waivedMark,
      text(present(besideLimitInWords(quota), modelsPhrase(quota), waived).join('; ')),
    ]
  })
  const { one, many } = subjectOf(report)
  const head = [one, 'Limit', 'Sent', 'Admitted', 'Refused', 'Unclear', 'Verdict', 'Counts like']
  return [`### ${many}`, '', ...table(head, rows)]
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`### ${title}`, '', ...lines.map((line) => `- ${line}`), '']

/** What was measured for each quota, and what could still hide on it, one line each. */
const measured = (report: Report): string[] => {
  const lines = report.quotas.flatMap((quota) => {
    const told = measuredInWords(report, quota)
    if (told === undefined) return []
    const open = openInWords(report, quota)
    return [`${text(quotaName(quota, ', '))}: ${text(told)}${open === undefined ? '' : `; ${text(open)}`}`]
  })
  return list('Measured', lines)
}

const inventory = (report: Report): string[] => {
  if (!subjectOf(report).hasInventory) return []
  const { changed, unseen } = countUnrestored(report)
  if (report.restored) return ['inventory restored']
  return present(
    changed > 0 && `**inventory not restored** (${counted(changed, 'pet')})`,
    unseen > 0 && `**inventory could not be checked** (${counted(unseen, 'pet')})`,
  )
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

/** The report for a pull request or job summary: verdict, failures, gates, waivers, plans. It contains no links or mentions. */
export const renderMarkdown = (report: Report): string => {
  const { headline, run, target, rerun, outcome } = report
  const events = report.events.map(({ sentence }) => text(sentence))
  const costs = report.limiterCosts.map((row) => `${text(planName(row.plan))}: ${text(limiterCostInWords(row))}`)
  const remarks = [excludedInWords(report), lateLoadsInWords(report), rerun?.sentence, setFirstInWords(report)]
  return [
    `## ${outcomeMark[outcome]}: ${text(headline)}`,
    '',
    `${code(run.scenario)} against ${code(target.baseUrl)}`,
    '',
    counts(report),
    '',
    ...present(...remarks).flatMap((each) => [text(each), '']),
    ...findings(report, 'What failed', failures(report)),
    ...findings(report, 'Inconclusive', undecided(report)),
    ...gates(report),
    ...waivers(report),
    ...plans(report),
    ...measured(report),
    ...list('Events', events),
    ...list('What the limiter costs', costs),
    ...findings(report, 'Warnings', warnings(report)),
  ].join('\n')
}
