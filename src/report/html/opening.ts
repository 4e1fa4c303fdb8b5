import { formatDuration } from '../../kit/duration.js'
import { clip } from '../escape.js'
import type { Report } from '../model.js'
import { count, countClauses, counted, countFailures, countUnrestored, requestTotals } from '../summary.js'
import { commandBox, fact, outcomeMark, scrollingTable, unbrokenIds, verdictBadge, waivedBadge } from './marks.js'
import { type Html, html } from './tag.js'

/** The most that is shown of the sentence at the top. */
const longestHeadline = 400

const outcomeWords = { pass: 'Pass', fail: 'Fail', inconclusive: 'Inconclusive' } as const

const tile = (label: string, value: string, detail: string, tone: string): Html =>
  html`<div class="tile ${tone}"><dt>${label}</dt><dd><strong>${value}</strong><span>${detail}</span></dd></div>`

const inventoryTile = (report: Report): Html | false => {
  if (report.target.contract !== undefined) return false
  const { changed, unseen } = countUnrestored(report)
  if (report.restored) return tile('Inventory', 'Restored', 'as it was before the run', '')
  const unlooked = `${counted(unseen, 'pet')} could not be looked at`
  if (changed === 0) return tile('Inventory', 'Not known', unlooked, 'inconclusive')
  const toPutBack = `${counted(changed, 'pet')} to put back`
  return tile('Inventory', 'Not restored', unseen > 0 ? `${toPutBack}, ${unlooked}` : toPutBack, 'fail')
}

const tiles = (report: Report): Html => {
  const of = countClauses(report)
  const { failed, warned, waived } = countFailures(report)
  const spent = requestTotals(report)
  return html`<dl class="tiles">
${tile('Clauses passed', count(of.pass), `of ${counted(report.clauses.length, 'clause')}`, 'pass')}
${tile('Failed', count(failed), [...(waived > 0 ? [`${count(waived)} waived`] : []), warned > 0 ? counted(warned, 'warning') : 'no warnings'].join(', '), failed > 0 ? 'fail' : '')}
${tile('Inconclusive', count(of.inconclusive), `${count(of['not-tested'])} not tested`, of.inconclusive > 0 ? 'inconclusive' : '')}
${tile('Observed', count(of.observed), 'left open, so only reported', '')}
${tile('Requests spent', count(spent.spent), `of ${count(spent.planned)} planned`, '')}
${tile('Duration', formatDuration(report.run.durationMs), `of ${formatDuration(report.run.plannedMs)} planned${report.run.interrupted ? ', interrupted' : ''}`, '')}
${inventoryTile(report)}
</dl>`
}

const gates = (report: Report): Html => {
  if (report.gates.length === 0) return html`<p class="quiet">This scenario sets no gates.</p>`
  const rows = report.gates.map(
    (gate) =>
      html`<tr><td>${gate.waived ? waivedBadge : verdictBadge(gate.verdict)}</td><th scope="row">${gate.sentence}<code class="gate-id">${gate.id}</code></th><td class="number">${gate.limit}</td><td class="number">${gate.value}</td></tr>`,
  )
  return scrollingTable(
    'Gates',
    html`<table><thead><tr><th scope="col">Verdict</th><th scope="col">Gate</th><th scope="col" class="number">Limit</th><th scope="col" class="number">Value</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

const waiverState = {
  applied: 'applied',
  expired: 'ended',
  'passes-now': 'no longer needed',
  unused: 'not needed',
} as const

const waivers = (report: Report): Html | false =>
  report.waivers.length > 0 &&
  html`<section id="waivers" aria-labelledby="waivers-title"><h2 id="waivers-title">Waivers</h2><p class="how">Failures that are known: each is shown, and does not count up to the end of its day. One that ended, or that is no longer needed, fails the run.</p>${scrollingTable(
    'Waivers',
    html`<table><thead><tr><th scope="col">Waived</th><th scope="col">State</th><th scope="col">Reason</th><th scope="col">Owner</th><th scope="col">Until</th></tr></thead><tbody>${report.waivers.map((each) => html`<tr><th scope="row"><span class="id">${each.id}</span><code class="gate-id">${each.place}</code></th><td>${each.state === 'expired' || each.state === 'passes-now' ? verdictBadge('fail') : each.state === 'applied' ? waivedBadge : verdictBadge('not-tested')}<span class="said">${waiverState[each.state]}</span></td><td>${clip(each.reason, longestHeadline)}<span class="said">${clip(each.sentence, longestHeadline)}</span></td><td>${each.owner}</td><td><span class="id">${each.until}</span></td></tr>`)}</tbody></table>`,
  )}</section>`

const putBack = (pets: Report['unrestored']): Html[] =>
  pets.map(
    (pet) =>
      html`<p class="restore-line">Pet <code>${pet.petId}</code>, quantity <code>${pet.quantity}</code></p>${commandBox(pet.curl, `the command that restores pet ${pet.petId}`)}`,
  )

const unrestored = (report: Report): (Html | false)[] => {
  const changed = report.unrestored.filter(({ look }) => look === null)
  const unseen = report.unrestored.filter(({ look }) => look !== null)
  return [
    changed.length > 0 &&
      html`<section class="notice" aria-labelledby="unrestored-title"><h2 id="unrestored-title">The inventory is not as it was</h2>
<p>Each command puts one pet back.</p>
${putBack(changed)}</section>`,
    unseen.length > 0 &&
      html`<section class="notice" aria-labelledby="unseen-title"><h2 id="unseen-title">The inventory could not be looked at</h2>
<p>No key was let in any more. The first command shows what is there; each of the others puts one pet back.</p>
${commandBox(unseen[0].look ?? '', 'the command that shows the inventory')}${putBack(unseen)}</section>`,
  ]
}

/** A moment in UTC to the second; what is no moment stays as it is. */
export const moment = (iso: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? []
  return day === undefined ? iso : `${day} ${time} UTC`
}

/** The verdict in a sentence, what was run against what, the command that repeats it, the tiles and the gates. */
export const opening = (report: Report): Html => html`<header class="verdict ${report.outcome}">
<div class="verdict-line">${outcomeMark(report.outcome)}<div><p class="outcome">${outcomeWords[report.outcome]}</p><h1>${unbrokenIds(clip(report.headline, longestHeadline))}</h1></div></div>
<dl class="facts">${fact('Target', report.target.baseUrl)}${report.target.contract !== undefined && fact('Contract', report.target.contract)}${fact('Scenario', report.run.scenario)}${fact('Started', moment(report.run.startedAt))}${fact('Seed', String(report.run.seed))}${fact('Time scale', String(report.run.timeScale))}${fact('Exit code', String(report.run.exitCode))}${fact('Version', `quotaspec ${report.tool.version}`)}</dl>
${commandBox(report.run.command, 'the command that repeats this run')}
</header>
${tiles(report)}
${unrestored(report)}
<section id="gates" aria-labelledby="gates-title"><h2 id="gates-title">Gates</h2>${gates(report)}</section>
${waivers(report)}`
