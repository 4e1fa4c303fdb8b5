import { planName } from '../../../contract/plans.js'
import type { CostRow, Report } from '../../model.js'
import { heldBy } from '../../wording/held-by.js'
import { costMs, limiterCostInWords } from '../../wording/limiter-cost.js'
import { numberCells, scrollingTable } from './marks.js'
import { type Html, html } from './tag.js'

const heads = ['Round', 'Admitted, p50 (ms)', 'Refused, p50 (ms)', 'This machine stood still, at most (ms)']

const roundLines = ({ plan, rounds }: CostRow): Html[] =>
  rounds.map(
    ({ round, admitted, refused, stoodStillMs }) =>
      html`<tr><th scope="row">${planName(plan)}</th>${[String(round), costMs(admitted), costMs(refused)].map((cell) => html`<td class="number">${cell}</td>`)}${numberCells([Math.round(stoodStillMs)])}</tr>`,
  )

const roundTable = (report: Report): Html | false => {
  const lines = report.limiterCosts.flatMap(roundLines)
  return (
    lines.length > 0 &&
    html`<details class="fold"><summary>Each round</summary><p class="how">Where this machine stood still, answers lay unread, and seem to have taken longer than they did.</p>${scrollingTable(
      'What the limiter costs in each round',
      html`<table><thead><tr><th scope="col">${heldBy(report).one}</th>${heads.map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead><tbody>${lines}</tbody></table>`,
    )}</details>`
  )
}

/** What the limiter costs on each key; nothing where no load measured it. */
export const limiterCost = (report: Report): Html | false =>
  report.limiterCosts.length > 0 &&
  html`<section id="limiter-cost" aria-labelledby="limiter-cost-title"><h2 id="limiter-cost-title">What the limiter costs</h2><p class="how">From the loads of the profile cost alone, all rounds together: the time from sending to the answer.</p><ul class="notes">${report.limiterCosts.map((row) => html`<li><span><strong>${planName(row.plan)}</strong>: ${limiterCostInWords(row)}.</span></li>`)}</ul>${roundTable(report)}</section>`
