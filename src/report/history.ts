import { type FigureName, figureNames, figures } from '../contract/figures.js'
import { count, counted, formatDuration } from '../kit/words.js'
import { clip } from './escape.js'
import {
  badge,
  type Html,
  html,
  numberCells,
  outcomeWords,
  scrollingTable,
  stillPage,
  tableHead,
} from './html/markup.js'
import { measurePlan } from './model/measure.js'
import type { Report } from './model.js'
import { plansOf } from './quotas.js'
import { countClauses, countFailures, requestTotals } from './summary.js'

/** The runs of one scenario against one target at one time scale, oldest first. */
interface VerdictHistory {
  readonly scenario: string
  readonly target: string
  readonly timeScale: number
  readonly runs: readonly PastRun[]
}

const compared = figureNames.filter((name) => figures[name].noise !== null)

const figuresOf = (report: Report): ReadonlyMap<string, number> =>
  new Map(
    plansOf(report).flatMap((plan) =>
      compared.flatMap((name): [string, number][] => {
        const value = measurePlan(report, name, plan)
        return value === null ? [] : [[`${plan} ${name}`, value]]
      }),
    ),
  )

type PastRun = ReturnType<typeof pastRun>

/** @param href path of its report.html from the page; null if there is none. */
const pastRun = (report: Report, href: string | null) => ({
  href,
  id: report.run.id,
  startedAt: report.run.startedAt,
  outcome: report.outcome,
  headline: report.headline,
  version: report.tool.version,
  passed: countClauses(report).pass,
  ...countFailures(report),
  inconclusive: countClauses(report).inconclusive,
  requests: requestTotals(report).spent,
  durationMs: report.run.durationMs,
  figures: figuresOf(report),
})

/** Groups runs into stories, the one with the newest run first; a run found in two folders appears once. */
export const storiesOf = (
  reports: readonly { readonly report: Report; readonly href: string | null }[],
): readonly VerdictHistory[] => {
  const stories = new Map<string, VerdictHistory & { readonly runs: PastRun[] }>()
  for (const { report, href } of reports) {
    const { scenario, timeScale } = report.run
    const slot = JSON.stringify([scenario, report.target.baseUrl, timeScale])
    const story = stories.get(slot) ?? { scenario, target: report.target.baseUrl, timeScale, runs: [] }
    if (!story.runs.some(({ id }) => id === report.run.id)) story.runs.push(pastRun(report, href))
    stories.set(slot, story)
  }
  const newest = ({ runs }: VerdictHistory): string => runs.at(-1)?.startedAt ?? ''
  for (const { runs } of stories.values()) runs.sort((a, b) => a.startedAt.localeCompare(b.startedAt))
  return [...stories.values()].sort((a, b) => newest(b).localeCompare(newest(a)))
}

/** A figure of a plan across the runs: one value each, oldest first; null if not measured. */
type Trend = ReturnType<typeof trendsOf>[number]

/** The figures measured by at least two runs of a story. */
export const trendsOf = ({ runs }: VerdictHistory) => {
  const slots = [...new Set(runs.flatMap((run) => [...run.figures.keys()]))]
  return slots.flatMap((slot) => {
    const values = runs.map((run) => run.figures.get(slot) ?? null)
    const [plan = '', figure = ''] = slot.split(' ')
    return values.filter((value) => value !== null).length < 2 ? [] : [{ figure: figure as FigureName, plan, values }]
  })
}

const mostMarks = 60
const mostRows = 100
const longestText = 300

const moment = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

/** Links only to paths below the page, whatever a report's folder is called. */
const link = (run: PastRun, inside: Html | string): Html =>
  run.href === null
    ? html`${inside}`
    : html`<a href="${run.href.split('/').map(encodeURIComponent).join('/')}">${inside}</a>`

const mark = (run: PastRun): Html =>
  html`<li class="${run.outcome}">${link(run, html`<svg class="icon" role="img" viewBox="0 0 16 16" aria-label="${outcomeWords[run.outcome]}, ${moment(run.startedAt)}"><use href="#icon-${run.outcome}"/></svg>`)}</li>`

const width = 176
const height = 35

/** Values across runs as a line; if a run did not measure it, the line continues to the next that did. */
const spark = ({ values }: Trend): Html => {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]))
  const low = Math.min(...points.map(({ value }) => value))
  const high = Math.max(...points.map(({ value }) => value))
  const x = (at: number) => ((at / Math.max(1, values.length - 1)) * width).toFixed(1)
  const y = (value: number) =>
    (high === low ? height / 2 : height - 3 - ((value - low) / (high - low)) * (height - 6)).toFixed(1)
  const path = points.map(({ value, at }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('')
  const last = points.at(-1)
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" aria-hidden="true"><path d="${path}"/>${last !== undefined && html`<circle cx="${x(last.at)}" cy="${y(last.value)}" r="2.6"/>`}</svg>`
}

const rounded = (value: number | undefined, parts: number): string =>
  value === undefined ? '–' : count(Math.round(value * parts) / parts)

const trendRow = (trend: Trend): Html => {
  const measured = trend.values.filter((value) => value !== null)
  const unit = figures[trend.figure].unit
  const parts = unit === 'share' ? 100 : 10
  return html`<tr><th scope="row">${figures[trend.figure].sentence}<code class="gate-id">${trend.figure}, ${trend.plan}</code></th><td>${spark(trend)}</td><td class="number">${rounded(Math.min(...measured), parts)}</td><td class="number">${rounded(Math.max(...measured), parts)}</td><td class="number">${rounded(measured.at(-1), parts)}</td><td>${unit}</td></tr>`
}

/** Figures that were 0 in every run are only counted. */
const trends = (story: VerdictHistory): Html | false => {
  const all = trendsOf(story)
  const moving = all.filter(({ values }) => values.some((value) => value !== null && value !== 0))
  const still = all.length - moving.length
  return (
    all.length > 0 &&
    html`<h3>Trends</h3><p class="how">From the oldest run to the newest; the dot is the newest. ${still > 0 && `${counted(still, 'other figure')} stayed at 0 in every run.`}</p>
${moving.length > 0 && scrollingTable(`Trends of ${story.scenario}`, html`<table>${tableHead(['Figure', 'Trend', 'Least', 'Most', 'Newest', 'Unit'], 2, 1)}<tbody>${moving.map(trendRow)}</tbody></table>`)}`
  )
}

const runRow = (run: PastRun): Html =>
  html`<tr><td>${badge(run.outcome)}</td><th scope="row">${link(run, moment(run.startedAt))}<span class="said">${clip(run.headline, longestText)}</span></th>${numberCells([run.passed, run.failed, run.waived, run.inconclusive, run.requests, formatDuration(run.durationMs)])}</tr>`

const runHeads = ['Outcome', 'Started (UTC)', 'Passed', 'Failed', 'Waived', 'Open', 'Requests', 'Duration']

const storyView = (story: VerdictHistory, at: number): Html => {
  const newestFirst = story.runs.toReversed()
  const left = story.runs.length - mostRows
  return html`<section class="plan" aria-labelledby="story-${at}"><h2 id="story-${at}">${story.scenario}</h2>
<p class="quiet">against ${story.target}${story.timeScale !== 1 && `, at time scale ${story.timeScale}`}: ${counted(story.runs.length, 'run')}</p>
<ol class="runs" aria-label="Outcomes, the oldest first">${story.runs.slice(-mostMarks).map(mark)}</ol>
${trends(story)}
<h3>Runs</h3>
${scrollingTable(`Runs of ${story.scenario}`, html`<table>${tableHead(runHeads, 2)}<tbody>${newestFirst.slice(0, mostRows).map(runRow)}</tbody></table>`)}
${left > 0 && html`<p class="quiet">and ${counted(left, 'older run')}</p>`}</section>`
}

/** The history of all runs in a folder, by scenario and target, as a self-contained page. */
export const renderHistory = (
  stories: readonly VerdictHistory[],
  unreadable: readonly string[],
  version: string,
): string => {
  const runs = stories.reduce((sum, story) => sum + story.runs.length, 0)
  return stillPage(
    'quotaspec: history',
    version,
    html`<header><h1>History</h1><p class="quiet">${counted(runs, 'run')} in ${counted(stories.length, 'story').replace(/storys$/, 'stories')}, one for each scenario and target</p></header>
${stories.map(storyView)}
${runs === 0 && html`<p>This folder has no runs yet.</p>`}
${unreadable.length > 0 && html`<section><h2>Left out</h2><ul>${unreadable.map((each) => html`<li>${each}</li>`)}</ul></section>`}`,
  )
}
