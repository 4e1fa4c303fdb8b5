import { markdownCode } from '../escape.js'
import { table, text } from '../formats/markdown.js'
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
  unchangedGroups,
  withinNoiseInWords,
} from './comparison-words.js'

const mostRows = 40

const marks = { worse: '❌', better: '✅', other: '•' } as const

const unchanged = (comparison: Comparison, all: boolean): string[] => {
  const told = withinNoiseInWords(comparison)
  if (!all) return told === '' ? [] : [text(told), '']
  return unchangedGroups(comparison).flatMap(({ title, figures }) => [
    `### ${title}`,
    '',
    ...table(
      ['What', 'Before', 'Now', ''],
      figures.map((each) => [markdownCode(nameOf(each)), text(beforeOf(each)), text(nowOf(each)), text(each.sentence)]),
    ),
  ])
}

/**
 * The comparison for a pull request or a job summary; with `all` it lists what did not change, too. Nothing in it links
 * or mentions.
 */
export const renderComparisonMarkdown = (comparison: Comparison, all = false): string => {
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
    ...unchanged(comparison, all),
  ].join('\n')
}
