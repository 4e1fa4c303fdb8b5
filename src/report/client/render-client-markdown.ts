import { formatDuration } from '../../kit/duration.js'
import { clip, markdownCode, markdownText } from '../escape.js'
import type { ClientReport } from './model.js'
import { scheduleInWords } from './schedule-in-words.js'

const longestText = 400
const outcomeMark = { pass: '✅ PASS', fail: '❌ FAIL', inconclusive: '❔ INCONCLUSIVE' } as const
const verdictMark = {
  pass: '✅ pass',
  fail: '❌ fail',
  inconclusive: '❔ inconclusive',
  observed: '👁 observed',
  'not-tested': '– not tested',
} as const

const text = (value: string): string => markdownText(clip(value, longestText))

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
    `${markdownCode(clip(report.client.command, longestText))} · ${report.plays.length} plays · ${formatDuration(report.run.durationMs)}`,
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
