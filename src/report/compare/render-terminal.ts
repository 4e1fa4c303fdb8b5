import { visible } from '../escape.js'
import { painter, wrap } from '../formats/terminal/terminal-text.js'
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
} from './comparison-words.js'

const styles = { worse: 'red', better: 'green', other: 'yellow' } as const
const marks = { worse: '✗', better: '✓', other: '·' } as const

/** The comparison for a terminal, each change in a line or two. */
export const renderComparisonTerminal = (
  comparison: Comparison,
  { colour, width }: { readonly colour: boolean; readonly width: number },
): string => {
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
  ].join('\n')
}
