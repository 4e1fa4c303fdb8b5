import { formatDuration } from '../../kit/words.js'
import { clip } from '../../report/escape.js'
import {
  badge,
  fact,
  type Html,
  html,
  lines,
  scrollingTable,
  section,
  standalonePage,
  styleFile,
  writtenBy,
} from '../../report/html/markup.js'
import { moment } from '../../report/html/opening.js'
import { caseTimeline } from './figures.js'
import { atBestOf, foldedReasons, nextInWords, scheduleInWords } from './in-words.js'
import type { ClientGradeReason, ClientPlayRow, ClientReport } from './model.js'

const longestText = 600
const style = styleFile('client-audit/report/client-page.css')

const gradeBadge = ({ grade }: ClientReport): Html => {
  const { letter, best, worst, reasons } = grade
  if (letter === null && reasons.some(({ leftOut }) => leftOut))
    return html`<div class="grade span not-tested" title="too few cases for a grade">–</div>`
  if (letter === null) return html`<div class="grade span inconclusive" title="not decided">${worst}–${best}</div>`
  const tone =
    letter === 'none' ? 'not-tested' : letter === 'A' || letter === 'B' ? 'pass' : letter === 'F' ? 'fail' : 'warning'
  return html`<div class="grade ${tone} ${letter === 'none' && 'span'}">${letter}</div>`
}

const opening = (report: ClientReport): Html => html`<header class="verdict ${report.outcome}">
<div class="verdict-line">${gradeBadge(report)}<div><p class="outcome">${badge(report.outcome)}</p><h1>${clip(report.headline, longestText)}</h1>${report.notes.map((note) => html`<p class="note">${clip(note, longestText)}</p>`)}</div></div>
<dl class="facts">${fact('Client', clip(report.client.command, longestText))}${fact('Cases', report.run.scenario)}${fact('Started', moment(report.run.startedAt))}${fact('Duration', formatDuration(report.run.durationMs))}${fact('Plays', String(report.plays.length))}${fact('Exit code', String(report.run.exitCode))}${fact('Version', `quotaspec ${report.tool.version}`)}</dl>
<div class="command"><pre tabindex="0" role="group" aria-label="the command that repeats this audit"><code>${report.run.command}</code></pre></div>
</header>`

const reasonLine = (grade: ClientReport['grade'], reason: ClientGradeReason): Html => {
  const { state, sentence, case: shown } = reason
  const best = atBestOf(grade, reason)
  const mark = best === 'none' ? 'no grade' : state === 'open' ? `${best}, if it stands` : `${best} at best`
  return html`<span class="at-best">${mark}</span>${clip(sentence, longestText)}${shown !== null && html` <a href="#case-${shown}">see it</a>`}`
}

const reasons = (report: ClientReport): Html => {
  const folded = foldedReasons(report)
  if (folded.length === 0)
    return html`<p>${report.grade.letter === 'A' ? 'Nothing: it is an A.' : 'Nothing that was played.'}</p>`
  const items = folded.map(({ reasons: [first, ...others], advice }) => {
    const tone = first.state === 'open' ? 'inconclusive' : first.atBest === 'F' ? 'fail' : 'warning'
    return html`<li class="${tone}">${reasonLine(report.grade, first)}${others.map((each) => html`<p class="also">${reasonLine(report.grade, each)}</p>`)}${advice !== null && html`<p class="advice">${advice}</p>`}</li>`
  })
  const next = nextInWords(report).map(
    ({ text, command }) =>
      html`<p>${text}</p>${command !== undefined && html`<div class="command"><pre tabindex="0" role="group" aria-label="the command that plays what is open again"><code>${command}</code></pre></div>`}`,
  )
  return html`<ul class="reasons">${items}</ul>${next}`
}

const clauseTable = ({ clauses }: ClientReport): Html =>
  scrollingTable(
    'Clauses',
    html`<table class="clauses"><thead><tr><th scope="col">Verdict</th><th scope="col">Clause</th><th scope="col" class="level">Level</th><th scope="col">What is asked, and what was seen</th></tr></thead><tbody>${clauses.map(
      ({ id, level, verdict, sentence, reason }) =>
        html`<tr id="${id}"><td>${badge(verdict)}</td><th scope="row" class="id">${id}<span class="clause-level">${level}</span></th><td class="level">${level}</td><td>${sentence}<span class="said">${clip(reason, longestText)}</span></td></tr>`,
    )}</tbody></table>`,
  )

const ends = {
  exit: 'ended by itself',
  watch: 'ended when its time was up',
  attempts: 'ended after too many attempts',
  interrupted: 'interrupted',
} as const

const playTable = (plays: readonly ClientPlayRow[]): Html => {
  if (plays.every(({ sent, withoutKey }) => sent + withoutKey === 0)) return html`<p>Not one request came.</p>`
  return scrollingTable(
    'Plays',
    html`<table class="figures"><thead><tr><th scope="col">Play</th><th scope="col">Sent</th><th scope="col">Refused</th><th scope="col">Served</th><th scope="col">At once</th><th scope="col">Time</th><th scope="col">End</th></tr></thead><tbody>${plays.map(
      ({ id, sent, withoutKey, refused, served, workers, durationMs, end, exitCode, signal, leftBehind }) =>
        html`<tr><th scope="row">${id}</th><td>${sent}${withoutKey > 0 && ` and ${withoutKey} without the Bearer key (401)`}</td><td>${refused}</td><td>${served}</td><td>${workers}</td><td>${formatDuration(durationMs)}</td><td>${ends[end]}${end === 'exit' && ` (${exitCode ?? signal ?? '?'})`}${leftBehind && ', left processes behind'}</td></tr>`,
    )}</tbody></table>`,
  )
}

const outputs = (plays: readonly ClientPlayRow[]): Html => {
  const told = plays.filter(({ output }) => output.trim() !== '').slice(0, 3)
  return html`${told.map(({ id, output }) => html`<details class="behind"><summary>What the client wrote in ${id}</summary><div class="sides"><pre>${lines(clip(output, 4_000))}</pre></div></details>`)}`
}

const timelines = ({ plays, grade }: ClientReport): Html => {
  const cases = [...new Set(plays.map((play) => play.case))]
  const shown = cases
    .map((id) => plays.filter((play) => play.case === id))
    .filter((of) => of.some(({ sent }) => sent > 0))
  if (shown.length === 0) return html`<p class="quiet">Nothing arrived.</p>`
  const named = new Set(grade.reasons.flatMap(({ witnesses }) => witnesses))
  return html`<p class="how">A row a play, its first arrival at 0 s. The broad bars are the times in which the client was told to stay away.</p>
<ul class="legend"><li><span class="key tone-refused"></span>refused</li><li><span class="key tone-admitted"></span>served</li><li><span class="key early">✕</span>came too early</li><li><span class="key span"></span>told to stay away</li></ul>
${shown.map((of) => caseTimeline(of, named))}`
}

/** The audit as one self-contained page: it loads nothing and runs nothing. */
export const renderClientHtml = (report: ClientReport): string =>
  standalonePage({
    title: report.headline.slice(0, 80),
    style,
    skip: 'Skip to the grade',
    main: html`${opening(report)}
${section('reasons', 'What keeps it from a better grade', reasons(report))}
${section('clauses', 'Clauses', clauseTable(report))}
${section('schedule', 'Its own schedule', html`<p>${scheduleInWords(report.schedule)}</p>`)}
${section('timelines', 'Arrivals against allowed moments', timelines(report))}
${section('plays', 'Plays', html`${playTable(report.plays)}${outputs(report.plays)}`)}`,
    footer: writtenBy(report.tool.version),
  })
