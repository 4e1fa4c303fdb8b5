import { clip, markupText } from '../../escape.js'
import type { Report } from '../../model.js'
import { type BadgeState, badgeState } from './badge-state.js'

const label = 'quotas'
const height = 20
const padding = 7
/** The mean width of a character of the font below; `textLength` makes it so in any other. */
const characterWidth = 6.6
const longestName = 60

/** Dark enough for white text: a contrast of at least 4.5. */
const colours: Readonly<Record<BadgeState['kind'], string>> = { good: '#1a7f37', bad: '#cf222e', open: '#57606a' }
const labelColour = '#3d444d'

const textWidth = (text: string): number => Math.round(text.length * characterWidth)

const part = (text: string, left: number, width: number): string =>
  `<text x="${left + padding}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${text}</text>`

/** The day of the run, for a badge stays where it is put; empty where the report does not say it. */
const dayOf = (startedAt: string): string => /^\d{4}-\d\d-\d\d(?=T)/.exec(startedAt)?.[0] ?? ''

const titleOf = (report: Report, { words }: BadgeState): string => {
  const proven = report.quotas.filter(({ verdict }) => verdict === 'pass').length
  const when = dayOf(report.run.startedAt)
  const of = markupText(clip(report.run.scenario, longestName))
  return `${label} ${words}: ${proven} of ${report.quotas.length} proven by ${of}${when === '' ? '' : `, ${when}`}`
}

/** The state of the quotas as a small picture (SVG) that loads nothing; its title says it to those who do not see it. */
export const renderBadge = (report: Report): string => {
  const state = badgeState(report)
  const title = titleOf(report, state)
  const left = textWidth(label) + 2 * padding
  const right = textWidth(state.words) + 2 * padding
  const width = left + right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" rx="3" fill="${colours[state.kind]}"/>`,
    `<path d="M3 0H${left}V${height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${labelColour}"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">',
    part(label, 0, left),
    part(state.words, left, right),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}
