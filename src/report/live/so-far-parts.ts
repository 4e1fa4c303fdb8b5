import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { chartFigure } from '../formats/html/charts/chart-figure.js'
import { evidenceOf } from '../formats/html/findings/exchange-view.js'
import { findings } from '../formats/html/findings/findings.js'
import { largeMark, warningBadge, wordedBadge } from '../formats/html/marks.js'
import { quotaTitle, quotaWord } from '../formats/html/plans/plan-row.js'
import { chartsByPlan } from '../formats/html/plans/plans.js'
import { anchor, type Html, html } from '../formats/html/tag.js'
import type { ClauseRow, QuotaRow, Report } from '../model.js'
import { areaName, breaksRun, counted, countFailures, limitInWords } from '../summary.js'
import { breachCount } from '../wording/quota-breach.js'
import { quotaMark } from '../wording/quota-standing.js'
import type { JudgedParts } from './live-view.js'

/** What a part of a run can say of a rule or a quota. What is not settled yet may be settled by the rest. */
type Standing = 'fail' | 'warning' | 'pass' | 'observed' | 'open'

const standings = ['fail', 'warning', 'pass', 'observed', 'open'] as const

const badges: Readonly<Record<Standing, Html>> = {
  fail: wordedBadge('fail', 'Broken'),
  warning: warningBadge,
  pass: wordedBadge('pass', 'Kept so far'),
  observed: wordedBadge('observed', 'Observed'),
  open: wordedBadge('not-tested', 'Not settled yet'),
}

const standingOf = (report: Report, { verdict, level, waived }: ClauseRow): Standing => {
  if (verdict === 'fail') return waived || !breaksRun(report, level) ? 'warning' : 'fail'
  return verdict === 'pass' || verdict === 'observed' ? verdict : 'open'
}

const quotaCard = (report: Report, quota: QuotaRow): Html => {
  const { sent, admitted, refused } = quota.history
  const counts = `${count(sent)} sent, ${count(admitted)} admitted, ${count(refused)} refused`
  const isSettled = quota.verdict === 'pass' || quota.verdict === 'fail'
  const mark = isSettled ? quotaMark(report, quota) : 'not-tested'
  const word = isSettled ? `${quotaWord(report, quota)}${quota.verdict === 'pass' ? ' so far' : ''}` : 'Not settled yet'
  return html`<li><div class="plan-card ${mark}">${largeMark(mark)}<span class="plan-name">${quotaTitle(quota)}</span><span class="plan-word">${word}</span><span class="plan-limit">${limitInWords(quota)}</span><span class="plan-detail">${breachCount(quota) ?? counts}</span></div></li>`
}

/** What was sent window by window, of each plan that has a story by now. */
const windows = (report: Report): Html | false => {
  const stories = [...chartsByPlan(report)].flatMap(([plan, charts]) => {
    const story = charts.find(({ id }) => id === anchor('chart', `${plan}-answers`))
    return story ? [[plan, story] as const] : []
  })
  return (
    stories.length > 0 &&
    html`<section aria-labelledby="windows-title"><h2 id="windows-title">Windows so far</h2>
${stories.map(([plan, story]) => html`<details class="plan folded" id="${anchor('plan', plan)}"><summary><h3>${planName(plan)}</h3></summary><div class="folded-body">${chartFigure(story)}</div></details>`)}</section>`
  )
}

const rule = (report: Report, clause: ClauseRow): Html =>
  html`<li class="rule-so-far" id="${anchor('clause', clause.id)}"><span class="clause-id">${clause.id}</span><span>${clause.sentence}</span>${badges[standingOf(report, clause)]}</li>`

const rules = (report: Report): Html => {
  const areas = [...new Set(report.clauses.map(({ area }) => areaName(area)))]
  const area = (name: string) => {
    const mine = report.clauses.filter((clause) => areaName(clause.area) === name)
    const counts = standings.map((each) => {
      const number = mine.filter((clause) => standingOf(report, clause) === each).length
      return number > 0 && html`<span>${badges[each]} ${number}</span>`
    })
    return html`<details class="area"><summary><h3>${name}</h3><span class="area-counts">${counts}</span></summary><ul class="rules-so-far">${mine.map((clause) => rule(report, clause))}</ul></details>`
  }
  return html`<section aria-labelledby="rules-title"><h2 id="rules-title">Rules so far</h2>${areas.map(area)}</section>`
}

const failed = (report: Report): Html | false => {
  const checks = report.checks.filter(({ verdict }) => verdict === 'fail')
  return checks.length > 0 && findings({ ...report, checks }, evidenceOf(report))
}

const standing = (report: Report): Html => {
  const { failed: number, warned } = countFailures(report)
  const kept = report.clauses.filter(({ verdict }) => verdict === 'pass').length
  const beside = `${counted(kept, 'rule')} kept${warned > 0 ? `, ${counted(warned, 'warning')}` : ''}`
  const broken = `${counted(number, 'rule')} broken so far`
  return number > 0
    ? html`${wordedBadge('fail', `${broken},`)} <span class="quiet">${beside}</span>`
    : html`Nothing is broken so far. <span class="quiet">${beside}</span>`
}

/** What is said before anything was judged. */
export const nothingJudged: JudgedParts = {
  standing: 'Nothing is judged yet.',
  soFar: html`<p class="quiet">Verdicts come here between loads, so that judging disturbs none of them.</p>`.markup,
}

/** What a part of a run shows, judged as if it had ended there: what is broken is, and what is open may yet be settled. */
export const soFarParts = (report: Report): JudgedParts => ({
  standing: standing(report).markup,
  soFar:
    html`<p class="how">Judged ${formatDuration(report.run.durationMs)} into the run, from what was there by then, and again between loads, so that none is disturbed. The verdict on the whole comes at the end.</p>
${report.quotas.length > 0 && html`<ul class="plan-row">${report.quotas.map((quota) => quotaCard(report, quota))}</ul>`}
${failed(report)}
${windows(report)}
${rules(report)}`.markup,
})
