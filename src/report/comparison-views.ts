import { figures } from '../contract/figures.js'
import { counted } from '../kit/words.js'
import type { ChangeKind, ComparedFigure, Comparison, VerdictChange } from './comparison.js'
import { clip, markdownCode, visible } from './escape.js'
import { table, text } from './formats/markdown.js'
import { columns, cut, hanging, painter, wrap } from './formats/terminal-text.js'
import { type Html, html, outcomeMark, scrollingTable, stillPage, tableHead, unbrokenIds } from './html/markup.js'
import { inUnits } from './model/gates.js'

interface ToldGroup {
  readonly id: string
  readonly title: string
  readonly rows: readonly ToldRow[]
}

/** A verdict or a figure as each format shows it: `overAdmitted (pro)`, `0`, `5`. The reason is empty if unknown. */
type ToldRow = ReturnType<typeof ofFigure>

const ofFigure = ({ figure, plan, sentence, low, high, value }: ComparedFigure) => {
  const where = [plan, figures[figure].worstLoad].filter((each) => each !== null && each !== undefined)
  const [least, most] = [inUnits(low, figure), inUnits(high, figure)]
  return {
    name: where.length === 0 ? figure : `${figure} (${where.join(', ')})`,
    before: least === most ? least : `${least} to ${most}`,
    now: value === null ? 'not measured' : inUnits(value, figure),
    meaning: sentence,
    reason: '',
  }
}

const rowOf = (change: VerdictChange | Comparison['figures'][number]): ToldRow =>
  'id' in change
    ? {
        name: change.id,
        before: change.before.join(' or '),
        now: change.now,
        meaning: change.sentence,
        reason: change.now === 'pass' ? '' : change.reason,
      }
    : ofFigure(change)

const kindWords = { worse: 'Got worse', better: 'Got better', other: 'Changed' } as const

const changes = ({ verdicts, figures }: Comparison): (ToldGroup & { readonly id: ChangeKind })[] =>
  (['worse', 'better', 'other'] as const)
    .map((kind) => ({
      id: kind,
      title: kindWords[kind],
      rows: [...verdicts, ...figures].filter((each) => each.kind === kind).map(rowOf),
    }))
    .filter(({ rows }) => rows.length > 0)

/** The unchanged figures, for readers who want all: those within noise, and those that are never compared. */
const unchanged = ({ unchanged: all }: Comparison): ToldGroup[] =>
  [
    { id: 'within-noise', title: 'Within noise', rows: all.filter(({ isHeld }) => isHeld).map(ofFigure) },
    {
      id: 'only-shown',
      title: 'Shown only for information: they say little about the target by themselves',
      rows: all.filter(({ isHeld }) => !isHeld).map(ofFigure),
    },
  ].filter(({ rows }) => rows.length > 0)

/** How many figures are within noise, and how to see them; empty if none was compared. */
const withinNoise = ({ unchanged: all }: Comparison): string => {
  const held = all.filter(({ isHeld }) => isHeld).length
  return held === 0 ? '' : `${counted(held, 'figure')} within noise; --all lists ${held === 1 ? 'it' : 'them'}.`
}

const nothingChanged = 'Nothing changed beyond noise.'

const mostNamed = 6

const comparisonHeadline = (comparison: Comparison): string => {
  const named = (kind: ChangeKind) => changes(comparison).find(({ id }) => id === kind)?.rows ?? []
  const worse = named('worse').map(({ name }) => name)
  const better = named('better').length
  const also = better > 0 ? ` ${counted(better, 'improvement')}.` : ''
  if (worse.length === 0) return `No regression.${also}`
  const rest = worse.length > mostNamed ? ` and ${worse.length - mostNamed} more` : ''
  return `${counted(worse.length, 'regression')}: ${worse.slice(0, mostNamed).join(', ')}${rest}.${also}`
}

const scopeOf = ({ baselines, scenario, figuresCompared }: Comparison): string =>
  `${scenario}: compared with ${counted(baselines.length, 'baseline')}, verdicts${figuresCompared > 0 ? ` and ${counted(figuresCompared, 'figure')}` : ''}`

const longestText = 600

const groupView = ({ id, title, rows }: ToldGroup): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="count">${rows.length}</span></h2>
${scrollingTable(
  title,
  html`<table>${tableHead(['What', 'Before', 'Now', 'Meaning'])}<tbody>${rows.map(
    ({ name, before, now, meaning, reason }) =>
      html`<tr><th scope="row">${name}</th><td>${before}</td><td class="${id}">${now}</td><td><span class="meaning">${meaning}</span>${reason !== '' && html`<span class="said">${clip(reason, longestText)}</span>`}</td></tr>`,
  )}</tbody></table>`,
)}</section>`

const runRow = (role: string, run: Comparison['run']): Html =>
  html`<tr><th scope="row">${role}</th><td>${run.id}</td><td>${run.target}</td><td>${clip(run.headline, longestText)}</td></tr>`

/** The comparison as a self-contained page; with `all` it also lists what did not change. */
export const renderComparisonHtml = (comparison: Comparison, version: string, all = false): string => {
  const [outcome, word] = comparison.regressed ? (['fail', 'Worse'] as const) : (['pass', 'No worse'] as const)
  const changed = changes(comparison)
  return stillPage(
    `${word}: ${comparison.scenario}`,
    version,
    html`<header class="verdict ${outcome}">
<div class="verdict-line">${outcomeMark(outcome)}<div><p class="outcome">${word}</p><h1>${unbrokenIds(clip(comparisonHeadline(comparison), longestText))}</h1></div></div>
<p class="quiet">${scopeOf(comparison)}. A figure counts as changed only if it lies beyond every baseline and beyond both noise floors.</p>
</header>
${changed.map(groupView)}
${changed.length === 0 && html`<p class="quiet">${nothingChanged}</p>`}
${all ? unchanged(comparison).map(groupView) : withinNoise(comparison) !== '' && html`<p class="quiet">${withinNoise(comparison)}</p>`}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${scrollingTable('Runs', html`<table>${tableHead(['Role', 'Run', 'Target', 'Result'])}<tbody>${comparison.baselines.map((each) => runRow('Baseline', each))}${runRow('Run', comparison.run)}</tbody></table>`)}</section>`,
  )
}

/** The most rows of a Markdown table: a job summary is read, not searched. */
const mostRows = 40

const signs = { worse: '❌', better: '✅', other: '•' } as const

const cells = ({ name, before, now, meaning, reason }: ToldRow): string[] => [
  markdownCode(name),
  text(before),
  text(now),
  text(`${meaning} ${reason}`.trim()),
]

/** The comparison for a pull request; with `all` also what did not change. It contains no links or mentions. */
export const renderComparisonMarkdown = (comparison: Comparison, all = false): string => {
  const rows = changes(comparison).flatMap(({ id, title, rows }) =>
    rows.map((each) => [`${signs[id]} ${title}`, ...cells(each)]),
  )
  const left = rows.length - mostRows
  const told = withinNoise(comparison)
  return [
    `## ${comparison.regressed ? '❌' : '✅'} ${text(comparisonHeadline(comparison))}`,
    '',
    text(scopeOf(comparison)),
    '',
    ...(rows.length === 0 ? [nothingChanged, ''] : table(['', 'What', 'Before', 'Now', ''], rows.slice(0, mostRows))),
    ...(left > 0 ? [`and ${left} more`, ''] : []),
    ...(all
      ? unchanged(comparison).flatMap(({ title, rows }) => [
          `### ${title}`,
          '',
          ...table(['What', 'Before', 'Now', ''], rows.map(cells)),
        ])
      : told === ''
        ? []
        : [text(told), '']),
  ].join('\n')
}

const styles = { worse: ['red', '✗'], better: ['green', '✓'], other: ['yellow', '·'] } as const

/** The comparison for a terminal, one or two lines per change; what did not change takes a line each, or is counted. */
export const renderComparisonTerminal = (
  comparison: Comparison,
  { colour, width, all }: { colour: boolean; width: number; all?: boolean },
): string => {
  const paint = painter(colour)
  const changed = changes(comparison).flatMap(({ id, title, rows }) => [
    paint('bold', title),
    ...rows.flatMap(({ name, before, now, meaning, reason }) => [
      `  ${paint(styles[id][0], styles[id][1])} ${paint('bold', visible(name))}  ${visible(before)} → ${visible(now)}`,
      ...[meaning, reason]
        .filter((each) => each !== '')
        .flatMap((each) => hanging(each, 4, width).map((line) => paint('dim', line))),
    ]),
    '',
  ])
  const others = unchanged(comparison).flatMap(({ title, rows }) => [
    paint('bold', title),
    ...columns(
      rows.map(({ name, before, now }) => [`  ${visible(name)}`, before, '→', now]),
      1,
    ).map((line) => cut(line, width)),
    '',
  ])
  const told = withinNoise(comparison)
  const label = comparison.regressed ? paint('red', '✗ WORSE') : paint('green', '✓ NO WORSE')
  const [first = '', ...more] = wrap(comparisonHeadline(comparison), width - 12)
  return [
    '',
    `${label}  ${first}`,
    ...more.map((line) => `  ${line}`),
    paint('dim', `  ${visible(scopeOf(comparison))}`),
    '',
    ...changed,
    ...(all ? others : told === '' ? [] : [paint('dim', `  ${told}`), '']),
  ].join('\n')
}
