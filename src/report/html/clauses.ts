import { count } from '../../kit/words.js'
import { clip } from '../escape.js'
import { breaksRun, planOfKey } from '../findings.js'
import type { CheckRow, ClauseRow, Report, WitnessRow } from '../model.js'
import { plansOf, subjectOf } from '../quotas.js'
import { areaName } from '../summary.js'
import { anchor, badge, type Html, html, type Mark, markWords } from './markup.js'

const longestMessage = 2_000
const longestSaid = 300

const mostNamed = 12

/** The plans that a clause's checks were played on: by the keys of their witnesses, and by their facts. */
const plansOfClause = (
  report: Report,
  checks: readonly CheckRow[],
  byId: ReadonlyMap<string, WitnessRow>,
): string[] => {
  const named = JSON.stringify(checks.map((check) => check.facts))
  const plans = plansOf(report)
  const witnesses = checks.flatMap((check) => check.witnesses)
  const seen = new Set(witnesses.map((id) => planOfKey(plans, byId.get(id)?.key ?? '')))
  return plans.filter((plan) => seen.has(plan) || named.includes(JSON.stringify(plan)))
}

/** The page's name for the verdict: a failure that only warns, or is waived, has its own. */
const told = (report: Report, row: ClauseRow | CheckRow): Mark =>
  row.waived ? 'waived' : row.verdict === 'fail' && !breaksRun(report, row.level) ? 'warning' : row.verdict

const checkView = (
  report: Report,
  check: CheckRow,
  evidence: ReadonlySet<string>,
): Html => html`<div class="check" id="${anchor('check', check.id)}">
<p class="check-head">${badge(told(report, check))} <a class="check-id" href="#${anchor('check', check.id)}"><code>${check.id}</code></a></p>
<p>${clip(check.message, longestMessage)}</p>
${check.witnesses.length > 0 && html`<p class="quiet">Evidence: ${check.witnesses.slice(0, mostNamed).map((id, at) => html`${at > 0 && ', '}${evidence.has(id) ? html`<a href="#${anchor('exchange', id)}">${id}</a>` : id}`)}</p>`}
<p class="quiet">Run only this check: <code class="inline-command">${check.command}</code></p>
</div>`

/** The report with lookups for its rows; `shown` holds the exchanges on the page. */
interface Lookup {
  readonly report: Report
  readonly byId: ReadonlyMap<string, WitnessRow>
  readonly checks: ReadonlyMap<string, CheckRow>
  readonly shown: ReadonlySet<string>
}

const row = ({ report, byId, checks, shown }: Lookup, clause: ClauseRow): Html => {
  const mine = clause.checks.flatMap((id) => checks.get(id) ?? [])
  // A check of several clauses is shown in full under the first, so that its id occurs once on the page.
  const full = mine.filter((check) => (check.clauses[0] ?? clause.id) === clause.id)
  const elsewhere = mine.filter((check) => !full.includes(check))
  const seen = mine.length === 1 && mine[0] !== undefined ? mine[0].message : clause.reason
  const plans = plansOfClause(report, mine, byId)
  const said = clause.verdict === 'pass' ? '' : clause.verdict === 'not-tested' ? clause.reason : seen
  return html`<details class="clause ${clause.verdict}" id="${anchor('clause', clause.id)}" data-verdict="${told(report, clause)}" data-level="${clause.level}" data-area="${areaName(clause.area)}" data-plans="${JSON.stringify(plans)}">
<summary><span class="clause-id">${clause.id}</span><span class="clause-text">${clause.sentence}${said !== '' && html`<span class="said">${clip(said, longestSaid)}</span>`}</span><span class="level ${clause.level}">${clause.level}</span>${badge(told(report, clause))}</summary>
<div class="clause-body"><p>The rule: ${clause.sentence}</p><p class="quiet">Source: ${clause.source}</p>
${clause.reason !== '' && clause.reason !== said && html`<p>${clip(clause.reason, longestMessage)}</p>`}
${full.map((check) => checkView(report, check, shown))}
${elsewhere.length > 0 && html`<p class="quiet">Also judged by ${elsewhere.map((check, at) => html`${at > 0 && ', '}<a href="#${anchor('check', check.id)}"><code>${check.id}</code></a>`)}</p>`}
</div></details>`
}

/** Why fewer rules were observed than are of the level `observe`. */
const observing = ({ clauses }: Report): string => {
  const open = clauses.filter(({ level }) => level === 'observe')
  const untold = open.filter(({ verdict }) => verdict !== 'observed').length
  return untold > 0 && untold < open.length
    ? ` This run observed ${count(open.length - untold)} of ${count(open.length)} such rules; ${untold === 1 ? 'the other one was' : `the other ${count(untold)} were`} not seen or not tested.`
    : ''
}

const toldInOrder = ['fail', 'waived', 'warning', 'inconclusive', 'pass', 'observed', 'not-tested'] as const

/** How many rules of an area got each verdict, with its mark. */
const areaCounts = (report: Report, clauses: readonly ClauseRow[]): Html =>
  html`<span class="area-counts">${toldInOrder.map((each) => {
    const number = clauses.filter((clause) => told(report, clause) === each).length
    return number > 0 && html`<span>${badge(each)} ${number}</span>`
  })}</span>`

const chips = (
  name: string,
  legend: string,
  options: readonly (readonly [string, string, number])[],
): Html => html`<fieldset class="chips"><legend>${legend}</legend>
${options.map(([value, label, number]) => number > 0 && html`<label><input type="checkbox" name="${name}" value="${value}"><span>${label} <span class="count">${number}</span></span></label>`)}</fieldset>`

const picker = (name: string, label: string, any: string, options: readonly string[]): Html | false =>
  options.length > 1 &&
  html`<label class="picker"><span>${label}</span><select name="${name}"><option value="">${any}</option>${options.map((option) => html`<option value="${option}">${option}</option>`)}</select></label>`

const filters = (report: Report, areas: readonly string[]): Html => {
  const number = (value: string) =>
    report.clauses.filter((each) => told(report, each) === value || each.level === value).length
  const holder = subjectOf(report)
  return html`<form class="filters needs-script" role="search" aria-label="Clauses" hidden>
<label class="picker search"><span>Search</span><input type="search" name="text" placeholder="RATE-5, Retry-After, …" autocomplete="off"></label>
${picker('area', 'Area', 'All areas', areas)}
${picker('plan', holder.one, `All ${holder.many.toLowerCase()}`, plansOf(report))}
${chips(
  'verdict',
  'Result',
  toldInOrder.map((each) => [each, markWords[each], number(each)]),
)}
${chips(
  'level',
  'Level of the rule',
  (['must', 'should', 'observe'] as const).map((each) => [each, each, number(each)]),
)}
<div class="filters-foot"><p class="shown" role="status" aria-live="polite"></p><button type="reset">Show all</button></div>
</form>`
}

/** Every clause by area, with what was seen, and filters; `shown`: ids of exchanges that can be linked. */
export const clauseList = (report: Report, shown: ReadonlySet<string>): Html => {
  const lookup: Lookup = {
    report,
    shown,
    byId: new Map(report.exchanges.map((x) => [x.id, x])),
    checks: new Map(report.checks.map((check) => [check.id, check])),
  }
  const areas = [...new Set(report.clauses.map((clause) => areaName(clause.area)))]
  const area = (name: string) => {
    const mine = report.clauses.filter((clause) => areaName(clause.area) === name)
    return html`<details class="area"><summary><h3>${name}</h3>${areaCounts(report, mine)}</summary>
${mine.map((clause) => row(lookup, clause))}</details>`
  }
  return html`<section id="clauses" aria-labelledby="clauses-title"><h2 id="clauses-title">All rules</h2>
<p class="how">A clause is one rule of the interface. A broken must fails the run, and a broken should is a warning. An observe is only reported: the contract leaves it open.${observing(report)}</p>
${filters(report, areas)}
<p class="none-shown" hidden>No clause matches these filters.</p>
${areas.map(area)}</section>`
}
