import { formatDuration } from '../../kit/duration.js'
import { clip } from '../escape.js'
import type { Report } from '../model.js'
import { breaksRun, count, countClauses, counted, requestTotals } from '../summary.js'
import { commandBox, outcomeMark, scrollingTable, verdictBadge } from './marks.js'
import { type Html, html } from './tag.js'

/** The most that is shown of the sentence at the top. */
const longestHeadline = 400

const outcomeWords = { pass: 'Pass', fail: 'Fail', inconclusive: 'Inconclusive' } as const

const tile = (label: string, value: string, detail: string, tone: string): Html =>
  html`<div class="tile ${tone}"><dt>${label}</dt><dd><strong>${value}</strong><span>${detail}</span></dd></div>`

const tiles = (report: Report): Html => {
  const of = countClauses(report)
  const warned = report.clauses.filter((each) => each.verdict === 'fail' && !breaksRun(report, each.level)).length
  const failed = of.fail - warned
  const spent = requestTotals(report)
  return html`<dl class="tiles">
${tile('Clauses passed', count(of.pass), `of ${counted(report.clauses.length, 'clause')}`, 'pass')}
${tile('Failed', count(failed), warned > 0 ? `and ${counted(warned, 'warning')}` : 'no warnings', failed > 0 ? 'fail' : '')}
${tile('Inconclusive', count(of.inconclusive), `${count(of['not-tested'])} not tested`, of.inconclusive > 0 ? 'inconclusive' : '')}
${tile('Observed', count(of.observed), 'left open, so only reported', '')}
${tile('Requests spent', count(spent.spent), `of ${count(spent.planned)} planned`, '')}
${tile('Duration', formatDuration(report.run.durationMs), `of ${formatDuration(report.run.plannedMs)} planned${report.run.interrupted ? ', interrupted' : ''}`, '')}
${tile('Inventory', report.restored ? 'Restored' : 'Not restored', report.restored ? 'as it was before the run' : `${counted(report.unrestored.length, 'pet')} to put back`, report.restored ? '' : 'fail')}
</dl>`
}

const gates = (report: Report): Html => {
  if (report.gates.length === 0) return html`<p class="quiet">This scenario sets no gates.</p>`
  const rows = report.gates.map(
    (gate) =>
      html`<tr><td>${verdictBadge(gate.verdict)}</td><th scope="row">${gate.sentence}<code class="gate-id">${gate.id}</code></th><td class="number">${gate.limit}</td><td class="number">${gate.value}</td></tr>`,
  )
  return scrollingTable(
    'Gates',
    html`<table><thead><tr><th scope="col">Verdict</th><th scope="col">Gate</th><th scope="col" class="number">Limit</th><th scope="col" class="number">Value</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

const unrestored = (report: Report): Html | false =>
  !report.restored &&
  html`<section class="notice" aria-labelledby="unrestored-title"><h2 id="unrestored-title">The inventory is not as it was</h2>
<p>Each command puts one pet back.</p>
${report.unrestored.map((pet) => html`<p class="restore-line">Pet <code>${pet.petId}</code>, quantity <code>${pet.quantity}</code></p>${commandBox(pet.curl, `the command that restores pet ${pet.petId}`)}`)}</section>`

/** The ids of clauses in it stay on one line. */
const unbrokenIds = (text: string): Html =>
  html`${text.split(/\b([A-Z]{3,8}-\d{1,2})\b/).map((part, at) => (at % 2 === 1 ? html`<span class="id">${part}</span>` : part))}`

/** A moment in UTC to the second; what is no moment stays as it is. */
const moment = (iso: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? []
  return day === undefined ? iso : `${day} ${time} UTC`
}

const fact = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

/** The verdict in a sentence, what was run against what, the command that repeats it, the tiles and the gates. */
export const opening = (report: Report): Html => html`<header class="verdict ${report.outcome}">
<div class="verdict-line">${outcomeMark(report.outcome)}<div><p class="outcome">${outcomeWords[report.outcome]}</p><h1>${unbrokenIds(clip(report.headline, longestHeadline))}</h1></div></div>
<dl class="facts">${fact('Target', report.target.baseUrl)}${fact('Scenario', report.run.scenario)}${fact('Started', moment(report.run.startedAt))}${fact('Seed', String(report.run.seed))}${fact('Time scale', String(report.run.timeScale))}${fact('Exit code', String(report.run.exitCode))}${fact('Version', `quotaspec ${report.tool.version}`)}</dl>
${commandBox(report.run.command, 'the command that repeats this run')}
</header>
${tiles(report)}
${unrestored(report)}
<section id="gates" aria-labelledby="gates-title"><h2 id="gates-title">Gates</h2>${gates(report)}</section>`
