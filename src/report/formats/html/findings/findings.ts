import { count } from '../../../../kit/count.js'
import type { CheckRow, Report } from '../../../model.js'
import { counted, failures, undecided, waivedFailures, warnings } from '../../../summary.js'
import { setFirstInWords } from '../../../wording/repeating/set-first.js'
import { verdictBadge, waivedBadge, warningBadge } from '../marks.js'
import { type Html, html } from '../tag.js'
import type { FindingEvidence } from './exchange-view.js'
import { findingCard } from './finding-card.js'

/** Of what did not fail so many stand at once; the others are folded. */
const mostOpen = 3

const cardsOf = (cards: readonly Html[], areFailures: boolean): Html => {
  const open = areFailures ? cards : cards.slice(0, mostOpen)
  const folded = cards.slice(open.length)
  return html`${open}${folded.length > 0 && html`<details class="fold"><summary>${counted(folded.length, 'more finding')}</summary>${folded}</details>`}`
}

const group = (
  report: Report,
  title: string,
  id: string,
  checks: readonly CheckRow[],
  badge: Html,
  evidence: FindingEvidence,
  isFirst = false,
): Html | false =>
  checks.length > 0 &&
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count">${count(checks.length)}</span></h2>${cardsOf(
    checks.map((check, at) => findingCard(report, check, { badge, evidence, isWorst: isFirst && at === 0 })),
    isFirst,
  )}</section>`

/** What failed, with its evidence; then what could not be decided, what is waived, and the warnings. Says so where nothing failed. */
export const findings = (report: Report, evidence: FindingEvidence): Html => {
  const failed = failures(report)
  const none =
    failed.length === 0 &&
    html`<section id="failed" aria-labelledby="failed-title"><h2 id="failed-title" class="for-readers">What failed</h2><p class="nothing-failed">No check that counts failed.</p></section>`
  // Where something failed, its steps say what the commands need.
  const setFirst = setFirstInWords(report)
  return html`${none}
${failed.length === 0 && setFirst !== undefined && html`<p class="quiet">${setFirst}</p>`}
${group(report, 'What failed', 'failed', failed, verdictBadge('fail'), evidence, true)}
${group(report, 'Inconclusive', 'undecided', undecided(report), verdictBadge('inconclusive'), evidence)}
${group(report, 'Known and waived', 'waived', waivedFailures(report), waivedBadge, evidence)}
${group(report, 'Warnings', 'warnings', warnings(report), warningBadge, evidence)}`
}
