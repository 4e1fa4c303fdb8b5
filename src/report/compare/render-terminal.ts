import { visible } from '../escape.js'
import { columns, cut, painter, wrap } from '../formats/terminal-text.js'
import type { ChangeKind, Comparison } from './comparison.js'
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

const styles = { worse: 'red', better: 'green', other: 'yellow' } as const
const marks = { worse: '✗', better: '✓', other: '·' } as const

interface ComparisonLook {
  readonly colour: boolean
  readonly width: number
  /** Whether to list what did not change, too. */
  readonly all?: boolean
}

/** What did not change, a line each; or how much that is, where nobody asked for it. */
const unchanged = (comparison: Comparison, { colour, width, all }: ComparisonLook): string[] => {
  const paint = painter(colour)
  const told = withinNoiseInWords(comparison)
  if (!all) return told === '' ? [] : [paint('dim', `  ${told}`), '']
  return unchangedGroups(comparison).flatMap(({ title, figures }) => [
    paint('bold', title),
    ...columns(
      figures.map((each) => [`  ${visible(nameOf(each))}`, beforeOf(each), '→', nowOf(each)]),
      1,
    ).map((line) => cut(line, width)),
    '',
  ])
}

/** The comparison for a terminal, each change in a line or two. */
export const renderComparisonTerminal = (comparison: Comparison, look: ComparisonLook): string => {
  const { colour, width } = look
  const paint = painter(colour)
  const group = (kind: ChangeKind): string[] => {
    const changes = changesOf(comparison, kind)
    if (changes.length === 0) return []
    const lines = changes.flatMap((change) => [
      `  ${paint(styles[kind], marks[kind])} ${paint('bold', visible(nameOf(change)))}  ${visible(beforeOf(change))} → ${visible(nowOf(change))}`,
      ...[change.sentence, reasonOf(change)]
        .filter((text) => text !== '')
        .flatMap((text) => wrap(text, width - 4).map((line) => paint('dim', `    ${line}`))),
    ])
    return [paint('bold', kindWords[kind]), ...lines, '']
  }
  const label = comparison.regressed ? paint('red', '✗ WORSE') : paint('green', '✓ NO WORSE')
  const [first = '', ...more] = wrap(comparisonHeadline(comparison), width - 12)
  return [
    '',
    `${label}  ${first}`,
    ...more.map((line) => `  ${line}`),
    paint('dim', `  ${visible(scopeOf(comparison))}`),
    '',
    ...kinds.flatMap(group),
    ...unchanged(comparison, look),
  ].join('\n')
}
