import { formatDuration } from '../../kit/duration.js'
import { code, outcomeMark, text, verdictMark } from '../../report/formats/markdown.js'
import { counted } from '../../report/wording/summary.js'
import { atBestOf, foldedReasons, retryInWords, scheduleInWords, shortcutInWords } from './in-words.js'
import type { ClientReport } from './model.js'

const reasons = (report: ClientReport): string[] => {
  const folded = foldedReasons(report)
  if (folded.length === 0) return []
  const told = folded.flatMap(({ reasons, advice }) => [
    ...reasons.map((each) => {
      const best = atBestOf(report.grade, each)
      const mark = best === 'none' ? 'No grade' : `At best ${best}`
      return `- ${mark}${each.state === 'open' ? ', open' : ''}: ${text(each.sentence)}`
    }),
    ...(advice === null ? [] : [`  - ${text(advice)}`]),
  ])
  const retry = retryInWords(report)
  const shortcut = shortcutInWords(report)
  const next = [
    ...(retry ? [`${text(retry.text)} ${code(retry.command)}`, ''] : []),
    ...(shortcut === null ? [] : [text(shortcut), '']),
  ]
  return ['### What keeps it from a better grade', '', ...told, '', ...next]
}

/** The report for a pull request or a job summary: the grade, what keeps it from a better one, the clauses. */
export const renderClientMarkdown = (report: ClientReport): string =>
  [
    `## ${outcomeMark[report.outcome]}: ${text(report.headline)}`,
    '',
    `${code(report.client.command)} · ${counted(report.plays.length, 'play')} · ${formatDuration(report.run.durationMs)}`,
    '',
    ...report.notes.flatMap((note) => [text(note), '']),
    ...reasons(report),
    '### Clauses',
    '',
    '| | Clause | Level | What was seen |',
    '| --- | --- | --- | --- |',
    ...report.clauses.map(
      ({ id, level, verdict, reason }) => `| ${verdictMark[verdict]} | ${text(id)} | ${level} | ${text(reason)} |`,
    ),
    '',
    `Its own schedule: ${text(scheduleInWords(report.schedule))}`,
    '',
  ].join('\n')
