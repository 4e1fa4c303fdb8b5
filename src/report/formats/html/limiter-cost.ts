import { planName } from '../../../contract/plans.js'
import type { Report } from '../../model.js'
import { limiterCostInWords } from '../../wording/limiter-cost.js'
import { type Html, html } from './tag.js'

/** What the limiter costs on each key; nothing where no load measured it. */
export const limiterCost = ({ limiterCosts }: Report): Html | false =>
  limiterCosts.length > 0 &&
  html`<section id="limiter-cost" aria-labelledby="limiter-cost-title"><h2 id="limiter-cost-title">What the limiter costs</h2><p class="how">From the loads of the profile cost alone, all rounds together: the time from sending to the answer.</p><ul class="notes">${limiterCosts.map((row) => html`<li><strong>${planName(row.plan)}</strong>: ${limiterCostInWords(row)}</li>`)}</ul></section>`
