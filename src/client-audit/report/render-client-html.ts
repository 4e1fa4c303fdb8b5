import { formatDuration } from '../../kit/words.js'
import { clip } from '../../report/escape.js'
import { ticks } from '../../report/html/chart.js'
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
  tableBehind,
  writtenBy,
} from '../../report/html/markup.js'
import { moment } from '../../report/html/opening.js'
import { atBestOf, foldedReasons, nextInWords, scheduleInWords } from './in-words.js'
import type { ClientGradeReason, ClientPlayRow, ClientReport } from './model.js'

const width = 720
const rowHeight = 22
const inset = { left: 42, right: 12, top: 8, bottom: 28 }
/** The most rows of a figure and of its table; nobody reads more. */
const mostRows = 10
const mostTold = 40
const toldBefore = 5

const seconds = (ms: number): string => (ms / 1000).toFixed(ms < 10_000 ? 3 : 1)

/** The time span of the figure: until the last arrival or awaited moment, or the whole watch. */
const spanOf = (plays: readonly ClientPlayRow[]): number => {
  const last = Math.max(...plays.flatMap(({ arrivals }) => arrivals.map(({ at }) => at)), 0)
  const watched = Math.max(...plays.map(({ watchedMs }) => watchedMs), 1_000)
  const named = Math.max(...plays.flatMap(({ arrivals }) => arrivals.map(({ allowedFrom }) => allowedFrom ?? 0)), 0)
  return Math.min(watched, Math.max(1_000, last * 1.08, Math.min(named * 1.08, watched)))
}

/** Whether the time was up while the client was still told to stay away. */
const outlastsWatch = ({ end, watchedMs, arrivals }: ClientPlayRow): boolean =>
  end === 'watch' && arrivals.some(({ allowedFrom }) => (allowedFrom ?? 0) > watchedMs)

/** Where the watch ended during a wait, said under the figure's title. */
const watchEndInWords = (plays: readonly ClientPlayRow[]): string => {
  const cut = plays.filter(outlastsWatch)
  return cut.length === 0
    ? ''
    : ` Watched for ${formatDuration(Math.max(...cut.map(({ watchedMs }) => watchedMs)))}, to the upright line: the wait lasts longer.`
}

const kindOf = ({ status, early }: ClientPlayRow['arrivals'][number]): string =>
  early ? 'early' : status === 200 ? 'served' : 'refused'

const row = (play: ClientPlayRow, at: number, x: (ms: number) => number): Html => {
  const y = inset.top + at * rowHeight + rowHeight / 2
  const end = x(Number.POSITIVE_INFINITY)
  const spans = play.arrivals.flatMap(({ answeredAt, allowedFrom }) =>
    answeredAt === null || allowedFrom === null || allowedFrom <= answeredAt
      ? []
      : [[x(answeredAt), Math.min(end, x(allowedFrom))]],
  )
  const closed = spans.map(([from, to]) => `M${from.toFixed(1)} ${y}H${to.toFixed(1)}`).join('')
  const dots = play.arrivals.map((arrival) => {
    const cx = x(arrival.at).toFixed(1)
    return kindOf(arrival) === 'early'
      ? html`<path class="early-mark" d="M${Number(cx) - 4} ${y - 4}l8 8m0 -8l-8 8"/>`
      : html`<circle class="${kindOf(arrival)}-mark" cx="${cx}" cy="${y}" r="3.5"/>`
  })
  const until = outlastsWatch(play) && x(play.watchedMs).toFixed(1)
  const watchEnd = until !== false && html`<path class="watch-end" d="M${until} ${y - 8}V${y + 8}"/>`
  return html`<path class="closed" d="${closed}"/>${watchEnd}${dots}<text class="tick" x="${inset.left - 14}" y="${y}" dy="4" text-anchor="end">${play.id.slice(play.id.indexOf('#') + 1)}</text>`
}

const figure = (plays: readonly ClientPlayRow[], title: string): Html => {
  const height = inset.top + inset.bottom + plays.length * rowHeight
  const span = spanOf(plays)
  const right = width - inset.right
  const x = (ms: number) => Math.min(right, inset.left + (ms / span) * (right - inset.left))
  const axis = ticks(0, span / 1000, 8).map(
    (each) =>
      html`<path class="grid" d="M${x(each * 1000).toFixed(1)} ${inset.top}V${height - inset.bottom}"/><text class="tick" x="${x(each * 1000).toFixed(1)}" y="${height - 8}" text-anchor="middle">${each} s</text>`,
  )
  return html`<svg class="still" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${axis}${plays.map((play, at) => row(play, at, x))}</svg>`
}

/** Where to start: a few arrivals before the first one that a finding names or, without one, that is refused. */
const firstTold = (all: ClientPlayRow['arrivals'], named: ReadonlySet<string>): number => {
  const shown = all.findIndex(({ id }) => named.has(id))
  const at = shown >= 0 ? shown : all.findIndex(({ status }) => status !== 200)
  return Math.max(0, Math.min(at - toldBefore, all.length - mostTold))
}

const tableOf = (plays: readonly ClientPlayRow[], title: string, named: ReadonlySet<string>): Html => {
  const all = plays.flatMap((play) => play.arrivals.map((arrival) => ({ arrival, play })))
  const from = firstTold(
    all.map(({ arrival }) => arrival),
    named,
  )
  const told = all.slice(from, from + mostTold)
  const rows = told.map(
    ({ arrival, play }) =>
      html`<tr><th scope="row">${play.id}</th><td>${seconds(arrival.at)}</td><td>${arrival.status}</td><td>${arrival.retryAfter ?? '–'}</td><td>${arrival.allowedFrom === null ? '–' : seconds(arrival.allowedFrom)}</td><td>${arrival.early ? 'too early' : '–'}</td></tr>`,
  )
  const table = html`<table class="figures"><thead><tr><th scope="col">Play</th><th scope="col">Second</th><th scope="col">Status</th><th scope="col">Retry-After</th><th scope="col">May come from</th><th scope="col">Verdict</th></tr></thead><tbody>${rows}</tbody></table>`
  const left = all.length - told.length
  return tableBehind(
    'figure',
    left > 0 && `arrivals ${from + 1} to ${from + told.length} of ${all.length}`,
    `Arrivals of: ${title}`,
    table,
  )
}

/** The plays of one case: arrivals, and the times when none was allowed. `named`: arrivals that findings name. */
const caseTimeline = (plays: readonly ClientPlayRow[], named: ReadonlySet<string>): Html => {
  const [first] = plays
  const shown = plays.slice(0, mostRows)
  const early = plays.flatMap(({ arrivals }) => arrivals).filter((each) => each.early).length
  const count = (of: (play: ClientPlayRow) => number) => plays.reduce((sum, play) => sum + of(play), 0)
  return html`<figure class="chart" id="case-${first.case}">
<figcaption><h3>${first.title} <span class="quiet">${first.case}${first.timeZone !== null && `, played with TZ=${first.timeZone}`}</span></h3>
<p class="how">${count(({ sent }) => sent)} sent, ${count(({ refused }) => refused)} refused, ${count(({ served }) => served)} served in ${plays.length} ${plays.length === 1 ? 'play' : 'plays'}${early > 0 && html`, <strong class="fail-text">${early} too early</strong>`}${first.notAsAsked !== null && html`; <strong>${first.notAsAsked}</strong>`}.${watchEndInWords(shown)}</p></figcaption>
<div class="plot">${figure(shown, first.title)}</div>
${tableOf(shown, first.title, named)}
</figure>`
}

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
