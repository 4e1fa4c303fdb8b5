import type { Report, VantageRow } from '../../../model.js'
import { numberCells, scrollingTable, section } from '../marks.js'
import { type Html, html } from '../tag.js'

const heads = ['Planned', 'Sent', 'Admitted', 'Refused', 'Unknown', 'Clock ± (ms)']

const clock = ({ clockErrorMs, isClockKept }: VantageRow): Html =>
  html`<td class="number">${clockErrorMs.toFixed(2)}${!isClockKept && html` <span class="quiet">moved</span>`}</td>`

const row = (each: VantageRow): Html =>
  html`<tr><th scope="row"><span class="id">${each.agent}</span></th><td>${each.key}</td><td><span class="id">${each.profile}</span></td>${numberCells([each.planned, each.sent, each.admitted, each.refused, each.unknown])}${clock(each)}<td>${each.target}</td></tr>`

/** What each agent sent and saw; nothing where this machine sent all. */
export const vantages = ({ vantages: rows }: Report): Html | false => {
  if (rows.length === 0) return false
  const untold = rows.reduce((sum, each) => sum + each.untold, 0)
  return section(
    'vantages',
    'Vantage points',
    html`<p class="how">What each machine sent, and what it saw. A limiter that is one admits its limit once, however many ask; nodes that count alone admit it once each, and no machine sees that by itself. Clock is by how much the machine's clock may be off that of the run: every moment that it recorded counts as an interval so much wider on both sides. Above 5 ms, or where it moved, no quota passes by it.</p>
${untold > 0 && html`<p class="told">Of ${untold} requests nobody knows what came of them, or whether they were sent: an agent was lost, or its record. They count as unknown.</p>`}
${scrollingTable('Vantage points', html`<table class="dense"><thead><tr><th scope="col">Agent</th><th scope="col">Key</th><th scope="col">Profile</th>${heads.map((head) => html`<th scope="col" class="number">${head}</th>`)}<th scope="col">Sent to</th></tr></thead><tbody>${rows.map(row)}</tbody></table>`)}`,
  )
}
