import { formatDuration } from '../../kit/duration.js'
import { code, outcomeMark, text, verdictMark } from '../markdown-text.js'
import type { ClientReport } from './model.js'
import { scheduleInWords } from './schedule-in-words.js'

const reasons = (report: ClientReport): string[] =>
  report.grade.reasons.length === 0
    ? []
    : [
        '### What keeps it from a better grade',
        '',
        ...report.grade.reasons.flatMap(({ atBest, state, sentence, advice }) => [
          `- At best ${atBest}${state === 'open' ? ', open' : ''}: ${text(sentence)}`,
          ...(advice === null ? [] : [`  - ${text(advice)}`]),
        ]),
        '',
      ]

/** The report for a pull request or a job summary: the grade, what keeps it from a better one, the clauses. */
export const renderClientMarkdown = (report: ClientReport): string =>
  [
    `## ${outcomeMark[report.outcome]}: ${text(report.headline)}`,
    '',
    `${code(report.client.command)} · ${report.plays.length} plays · ${formatDuration(report.run.durationMs)}`,
    '',
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
