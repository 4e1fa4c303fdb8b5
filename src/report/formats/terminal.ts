import { planName } from '../../contract/plans.js'
import { count, counted, formatDuration, present } from '../../kit/words.js'
import { countingOnAllKeys, hidingInWords, sizesInWords } from '../certificate.js'
import { clip, visible } from '../escape.js'
import { failures, findingLines, ruleInWords, undecided, warnings } from '../findings.js'
import type { CheckRow, QuotaRow, Report } from '../model.js'
import {
  besideLimitInWords,
  inAllInWords,
  modelsBy,
  modelsPhrase,
  quotaName,
  subjectOf,
  toldCounts,
  waivedInWords,
} from '../quotas.js'
import { aloneTimeInWords, setFirstInWords } from '../repeating.js'
import {
  changedElsewhereInWords,
  clausesPhrase,
  lateLoadsInWords,
  limiterCostInWords,
  requestTotals,
  unrestoredPets,
} from '../summary.js'
import {
  columns,
  cut,
  hanging,
  headlineLines,
  longestMessage,
  narrowestPage,
  type Paint,
  painter,
  type TerminalOptions,
  verdictMarks,
  wrap,
} from './terminal-text.js'

type Page = TerminalOptions & { readonly report: Report; readonly paint: Paint }

/** `expected` is the longest label. */
const labelWidth = 8

const labelled = (page: Page, label: string, text: string): string[] => {
  const padded = label.padEnd(labelWidth)
  return hanging(clip(text, longestMessage), padded.length + 5, page.width, `    ${page.paint('dim', padded)} `)
}

/** A command stays on one line, however long, for copying. */
const commandLine = (page: Page, command: string, label = 'repeat'): string =>
  `    ${page.paint('dim', label.padEnd(labelWidth))} ${visible(command)}`

const finding = (page: Page, check: CheckRow, mark: string): string[] => {
  const ids = check.clauses.map(visible).join(', ')
  const sentence = ruleInWords(page.report, check.clauses[0] ?? '')
  const time = aloneTimeInWords(check)
  const indent = ids.length + 6
  return [
    ...hanging(
      sentence,
      indent,
      Math.max(narrowestPage + indent, page.width),
      `  ${mark} ${page.paint('bold', ids)}  `,
    ),
    ...findingLines(page.report, check).flatMap(([label, text]) => labelled(page, label, text)),
    ...labelled(page, 'check', time === undefined ? check.id : `${check.id}; a repeat: ${time}`),
    commandLine(page, check.command),
    '',
  ]
}

const findings = (page: Page, title: string, checks: readonly CheckRow[], mark: string): string[] =>
  checks.length === 0 ? [] : [page.paint('bold', title), ...checks.flatMap((check) => finding(page, check, mark))]

/** Printed above the first command to repeat. */
const setFirst = ({ report, width }: Page): string[] => {
  const told = setFirstInWords(report)
  const isAnyRepeated = failures(report).length + undecided(report).length > 0
  return told !== undefined && isAnyRepeated ? [...wrap(told, width), ''] : []
}

/** The limiter in a few words: the first model that explains it, and how many others do. */
const limiterColumn = (quota: QuotaRow): string => {
  const [first, ...more] = modelsBy(quota, 'explained')
  if (more.length > 0 && modelsBy(quota, 'refuted').length === 0) return 'any permitted limiter'
  if (first !== undefined) return more.length > 0 ? `${first} or ${counted(more.length, 'other')}` : first
  return modelsBy(quota, 'refuted').length > 0 ? 'no permitted limiter' : '-'
}

/** The lines below a plan's row: what its numbers do not say. */
const belowRow = ({ report }: Page, quota: QuotaRow, limiter: string | undefined): string[] => {
  const inAll = inAllInWords(report, quota)
  const told = toldCounts(quota)
  const isPlain = quota.diagnosis === null && quota.reason === undefined
  return present(
    sizesInWords(report, quota),
    limiter && `counts like ${limiter}`,
    inAll && `${count(told.admitted)} of ${count(told.sent)} admitted ${inAll}`,
    besideLimitInWords(quota),
    !isPlain && modelsPhrase(quota),
    waivedInWords(report, quota),
  )
}

const plans = (page: Page): string[] => {
  const { report, width, paint } = page
  if (report.quotas.length === 0) return []
  // If every answer was clear, the limiters get the space.
  const isAnyUnclear = report.quotas.some((quota) => toldCounts(quota).unknown > 0)
  const rows = report.quotas.map((quota) => {
    const { sent, admitted, refused, unknown } = toldCounts(quota)
    return [
      `  ${verdictMarks[quota.verdict]} ${quotaName(quota)}`,
      ...[quota.limit, sent, admitted, refused, ...(isAnyUnclear ? [unknown] : [])].map(count),
    ]
  })
  const limiters = report.quotas.map(limiterColumn)
  const one = `  ${subjectOf(report).one.toLowerCase()}`
  const head = [one, 'limit', 'sent', 'admitted', 'refused', ...(isAnyUnclear ? ['unclear'] : [])]
  const [top = '', ...lines] = columns([head, ...rows], 0)
  // A limiter that does not fit on the line goes below it, in full.
  const whole = lines.map((line, at) => `${line}  ${limiters[at]}`)
  const told = report.quotas.map((quota, at) =>
    belowRow(page, quota, (whole[at] ?? '').length > width ? limiters[at] : undefined).flatMap((text) =>
      hanging(text, 6, width),
    ),
  )
  return [
    paint('dim', cut(`${top}  counts like`, width)),
    ...lines.flatMap((line, at) => [
      cut((whole[at] ?? '').length > width ? line : (whole[at] ?? ''), width),
      ...(told[at] ?? []),
    ]),
    '',
  ]
}

const item = (page: Page, text: string, mark = ''): string[] => hanging(text, 4, page.width, `  ${mark}`)

const list = (page: Page, title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [page.paint('bold', title), ...lines, '']

const gates = (page: Page): string[] => {
  const broken = page.report.gates.filter((gate) => gate.verdict !== 'pass' && gate.waived === null)
  const held = page.report.gates.filter((gate) => gate.verdict === 'pass').length
  const excused = page.report.gates.filter((gate) => gate.waived !== null).length
  if (page.report.gates.length === 0) return []
  const lines = broken.flatMap((gate) => [
    `  ${verdictMarks[gate.verdict]} ${page.paint('bold', visible(gate.id))}`,
    ...labelled(page, 'gate', gate.sentence),
    ...labelled(page, 'limit', `${gate.limit}, value ${gate.value}`),
  ])
  return [
    `${page.paint('dim', 'gates')}     ${held} of ${page.report.gates.length} hold${excused > 0 ? `, ${excused} waived` : ''}`,
    ...lines,
  ]
}

/** Known failures, one line each; those that fail the run say what to do. */
const waivers = (page: Page): string[] => {
  const { waivers: all } = page.report
  const mark = { applied: '-', expired: verdictMarks.fail, 'passes-now': verdictMarks.fail, unused: '-' } as const
  const lines = all.flatMap((each) => item(page, `${each.sentence} ${each.reason}`, `${mark[each.state]} `))
  return list(page, counted(all.length, 'waiver'), lines)
}

const warned = (page: Page): string[] => {
  const checks = warnings(page.report)
  const lines = checks.flatMap((check) =>
    labelled(page, check.clauses.map(visible).join(', '), `${check.message} (check ${check.id})`),
  )
  return list(page, `${counted(checks.length, 'warning')} (a warning fails the run only under --strict)`, lines)
}

const unrestored = (page: Page): string[] => {
  const { report, paint } = page
  const { changed, unseen } = unrestoredPets(report)
  const looks = [...new Set(unseen.map(({ look }) => look ?? ''))]
  const toPutBack = `The inventory is not as it was: ${counted(changed.length, 'pet')} to put back.`
  const unchecked = `The inventory could not be checked: ${counted(unseen.length, 'pet')} may not be as before.`
  return [
    ...present(changed.length > 0 && paint('red', toPutBack)),
    ...changed.map(({ curl }) => commandLine(page, curl)),
    ...present(unseen.length > 0 && paint('yellow', unchecked)),
    ...looks.map((look) => commandLine(page, look, 'look')),
    ...unseen.map(({ curl }) => commandLine(page, curl, 'restore')),
    ...present(changedElsewhereInWords(report)),
  ]
}

/** Whether any clause got a verdict: not if nothing answered, or if the run ended at its first look. */
const isAnythingSettled = ({ clauses }: Report): boolean =>
  clauses.some(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'not-tested')

const mostNamed = 6

/** Which clauses were not tested, if few: without QUOTA-3, say, nothing is known about the day. */
const untestedInWords = ({ clauses }: Report): string => {
  const ids = clauses.filter(({ verdict }) => verdict === 'not-tested').map(({ id }) => id)
  return ids.length > 0 && ids.length <= mostNamed ? ` (${visible(ids.join(', '))})` : ''
}

const tail = (page: Page): string[] => {
  const { report, paint } = page
  const { durationMs, plannedMs, interrupted } = report.run
  const spent = requestTotals(report)
  const duration = present(
    formatDuration(durationMs),
    plannedMs > 0 && `planned: ${formatDuration(plannedMs)} without repeats`,
    interrupted && 'interrupted',
  )
  const row = (label: string, text: string | false | undefined) =>
    text ? hanging(text, 10, page.width, `${paint('dim', label.padEnd(9))} `) : []
  return [
    ...row('clauses', `${clausesPhrase(report)}${untestedInWords(report)}`),
    ...(isAnythingSettled(report) ? gates(page) : []),
    ...row('all keys', countingOnAllKeys(report)),
    ...row('may hide', hidingInWords(report)),
    ...row('next', report.rerun?.sentence),
    ...row('late', lateLoadsInWords(report)),
    // Results from logs have no plan.
    ...row('requests', `${count(spent.spent)}${spent.planned > 0 ? ` of a budget of ${count(spent.planned)}` : ''}`),
    ...row('duration', duration.join(', ')),
    ...row('inventory', report.restored && subjectOf(report).hasInventory && 'as it was'),
    ...unrestored(page),
    ...(page.reportPath === null ? [] : [`${paint('dim', 'report'.padEnd(9))} ${visible(page.reportPath)}`]),
  ]
}

/** More undecided checks than this usually have one cause: they are listed by clause, not one by one. */
const mostOpenInFull = 6

const open = (page: Page): string[] => {
  const rows = undecided(page.report)
  const title = 'Inconclusive'
  if (rows.length <= mostOpenInFull) return findings(page, title, rows, page.paint('yellow', verdictMarks.inconclusive))
  const clauses = [...new Set(rows.flatMap((row) => row.clauses))].join(', ')
  const text = `${clauses}: the report has the reason of each.`
  return [page.paint('bold', title), ...hanging(text, 2, page.width), '']
}

/** The summary at a run's end: 24 lines of 80 characters if all is well. No text from the target affects the terminal. */
export const renderTerminal = (report: Report, options: TerminalOptions): string => {
  const page: Page = {
    ...options,
    width: Math.max(narrowestPage, options.width),
    report,
    paint: painter(options.colour),
  }
  const events = report.events.flatMap(({ sentence }) => item(page, sentence))
  const costs = report.limiterCosts.flatMap((row) => item(page, `${planName(row.plan)}: ${limiterCostInWords(row)}`))
  const hint = `  ${visible(report.run.scenario)} against ${visible(report.target.baseUrl)}`
  return [
    '',
    ...headlineLines(report, page.width, page.paint),
    page.paint('dim', cut(hint, page.width)),
    '',
    ...setFirst(page),
    ...findings(page, 'What failed', failures(report), page.paint('red', verdictMarks.fail)),
    // If nothing got a verdict, the headline gives the single reason: listing open clauses would add nothing.
    ...(isAnythingSettled(report) ? [...open(page), ...plans(page)] : []),
    ...list(page, 'Events', events),
    ...list(page, 'What the limiter costs', costs),
    ...waivers(page),
    ...warned(page),
    ...tail(page),
    '',
  ].join('\n')
}
