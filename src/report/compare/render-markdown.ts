import { markdownCode } from '../escape.js'
import { table, text } from '../formats/markdown/markdown-text.js'
import type { Comparison } from './comparison.js'
import {
  beforeOf,
  changesOf,
  comparisonHeadline,
  kinds,
  kindWords,
  nameOf,
  nowOf,
  reasonOf,
  scopeOf,
} from './comparison-words.js'

const mostRows = 40

const marks = { worse: '❌', better: '✅', other: '•' } as const

/** The comparison for a pull request or a job summary. Nothing in it links or mentions. */
export const renderComparisonMarkdown = (comparison: Comparison): string => {
  const rows = kinds.flatMap((kind) =>
    changesOf(comparison, kind).map((change) => [
      `${marks[kind]} ${kindWords[kind]}`,
      markdownCode(nameOf(change)),
      text(beforeOf(change)),
      text(nowOf(change)),
      text([change.sentence, reasonOf(change)].filter((each) => each !== '').join(' ')),
    ]),
  )
  const left = rows.length - mostRows
  return [
    `## ${comparison.regressed ? '❌' : '✅'} ${text(comparisonHeadline(comparison))}`,
    '',
    text(scopeOf(comparison)),
    '',
    ...(rows.length === 0
      ? ['Nothing changed beyond noise.', '']
      : table(['', 'What', 'Before', 'Now', ''], rows.slice(0, mostRows))),
    ...(left > 0 ? [`and ${left} more`, ''] : []),
  ].join('\n')
}
