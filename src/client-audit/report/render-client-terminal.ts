import { counted, formatDuration, present } from '../../kit/words.js'
import { clip, visible } from '../../report/escape.js'
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
} from '../../report/formats/terminal-text.js'
import { atBestOf, foldedReasons, nextInWords, scheduleInWords, waitsInWords } from './in-words.js'
import type { ClientGradeReason, ClientPlayRow, ClientReport } from './model.js'

const markOf = (grade: ClientReport['grade'], reason: ClientGradeReason): string => {
  const best = atBestOf(grade, reason)
  return best === 'none' ? ' none ' : `  ≤ ${best} `
}

/** The same for a message with a label. */
const indented = (text: string, indent: number, width: number, label = ''): string[] =>
  hanging(clip(text, longestMessage), indent, width, label.padEnd(indent))

const reason = (
  { reasons, advice }: ReturnType<typeof foldedReasons>[number],
  grade: ClientReport['grade'],
  width: number,
  paint: Paint,
): string[] => [
  ...reasons.flatMap((each) =>
    indented(`${each.state === 'open' ? 'open: ' : ''}${each.sentence}`, 6, width, markOf(grade, each)),
  ),
  ...(advice === null ? [] : indented(advice, 8, width, '      → ').map((line) => paint('cyan', line))),
]

const clauseLines = (report: ClientReport, width: number): string[] =>
  report.clauses.flatMap(({ id, level, verdict, sentence, reason: why }) =>
    indented(
      `${sentence.replace(/\.$/, '')}: ${why || verdict}`,
      24,
      width,
      `  ${verdictMarks[verdict]} ${visible(id)}  ${level}`,
    ),
  )

/** A client's own words about its failure: the last line that names an error, or else the last line. */
const tellingLine = (output: string): string => {
  const lines = output.trim().split('\n')
  return (lines.findLast((line) => /error|cannot|not found/i.test(line)) ?? lines[lines.length - 1] ?? '').trim()
}

const playLines = (report: ClientReport, width: number): string[] => {
  const troubled = report.plays.filter(
    ({ end, sent, leftBehind, withoutKey }) =>
      withoutKey > 0 || end === 'attempts' || sent === 0 || leftBehind || end === 'interrupted',
  )
  if (troubled.length === 0) return []
  const told = troubled.slice(0, 8).map(({ id, end, sent, withoutKey, leftBehind, exitCode, signal, output }) => {
    const last = tellingLine(output)
    const isSilent = sent === 0 && withoutKey === 0
    const facts = present(
      withoutKey > 0 && `${counted(withoutKey, 'request')} without the Bearer key, answered 401`,
      isSilent && `sent nothing (exit ${exitCode ?? signal ?? 'by quotaspec'})`,
      end === 'attempts' && 'ended by quotaspec: too many attempts',
      end === 'interrupted' && 'interrupted',
      leftBehind && 'left processes behind, which were ended',
      isSilent && last !== '' && last,
    )
    return cut(visible(`  ${id}: ${facts.join('; ')}`), width)
  })
  const more = troubled.length - told.length
  return ['Plays to look at', ...told, ...(more > 0 ? [`  and ${more} more`] : []), '']
}

const caseLines = (report: ClientReport, width: number): string[] => {
  if (report.plays.every(({ sent }) => sent === 0)) return ['  No request came with the key.']
  const cases = [...new Set(report.plays.map((play) => play.case))]
  const rows = cases.flatMap((id) => {
    const [first, ...others] = report.plays.filter((play) => play.case === id)
    if (!first) return []
    const plays = [first, ...others] as const
    const sum = (of: (play: ClientPlayRow) => number) => String(plays.reduce((total, play) => total + of(play), 0))
    const [sent, refused] = [sum((play) => play.sent), sum((play) => play.refused)]
    return [[`  ${id}`, String(plays.length), sent, refused, waitsInWords(plays)]]
  })
  return columns([['  case', 'plays', 'sent', 'refused', 'waits'], ...rows], 1).map((line) => cut(line, width))
}

const warned = ({ clauses, run }: ClientReport): string[] => {
  const ids = clauses
    .filter(({ level, verdict }) => level === 'should' && verdict === 'fail')
    .map(({ id }) => visible(id))
  if (ids.length === 0 || run.strict) return []
  const broken = `${ids.join(' and ')} ${ids.length === 1 ? 'is' : 'are'} broken`
  return [`  ${broken}: this lowers the grade, and fails the audit only with --strict`]
}

/** The audit's summary for a terminal: the grade, what keeps it from a better one with advice, the clauses, each play. */
export const renderClientTerminal = (report: ClientReport, options: TerminalOptions): string => {
  const width = Math.max(narrowestPage, options.width)
  const paint = painter(options.colour)
  const folded = foldedReasons(report)
  return [
    '',
    ...headlineLines(report, width, paint),
    paint('dim', cut(`  ${visible(report.client.command)}`, width)),
    ...warned(report),
    ...report.notes.flatMap((note) => indented(note, 2, width)),
    '',
    ...(folded.length > 0
      ? [
          paint('bold', 'What keeps it from a better grade'),
          ...folded.flatMap((each) => reason(each, report.grade, width, paint)),
          ...nextInWords(report).flatMap(({ text, command }) => [
            ...indented(text, 2, width),
            ...(command === undefined ? [] : [`    ${visible(command)}`]),
          ]),
          '',
        ]
      : []),
    paint('bold', 'Clauses'),
    ...clauseLines(report, width),
    '',
    paint('bold', 'Its own schedule'),
    ...indented(scheduleInWords(report.schedule), 2, width),
    '',
    ...caseLines(report, width),
    '',
    ...playLines(report, width),
    `duration  ${formatDuration(report.run.durationMs)}${report.run.interrupted ? ', interrupted' : ''}`,
    ...(options.reportPath === null ? [] : [`report    ${visible(options.reportPath)}`]),
    '',
  ].join('\n')
}
