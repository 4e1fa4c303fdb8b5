import { formatDuration } from '../../kit/duration.js'
import { medianOf } from '../../kit/median.js'
import { type Html, html, tableBehind } from '../../report/html/markup.js'
import type { ClientReport } from './model.js'

const size = { width: 720, height: 340 }
const inset = { left: 84, right: 16, top: 12, bottom: 34 }

/** From below the shortest to beyond the longest, each decade as long as the other. */
const logScale = ({ least, most }: { readonly least: number; readonly most: number }, from: number, to: number) => {
  const [bottom, top] = [Math.log10(least / 1.3), Math.log10(most * 1.3)]
  return (ms: number) => from + ((Math.log10(Math.max(least / 1.3, ms)) - bottom) / (top - bottom)) * (to - from)
}

/** Where a logarithmic scale is marked: at 1, 2 and 5 of each decade, of many decades only at 1. */
const marksIn = ({ least, most }: { readonly least: number; readonly most: number }): number[] =>
  [1, 10, 100, 1_000, 10_000, 100_000]
    .flatMap((decade) => (most / least > 300 ? [decade] : [decade, 2 * decade, 5 * decade]))
    .filter((each) => each >= least / 1.3 && each <= most * 1.3)

const figure = (title: string, content: Html): Html =>
  html`<svg class="still" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}">${content}</svg>`

/** Each wait against the one before it, for every play in which the client was on its own. */
export const growthFigure = ({ schedule }: ClientReport, waits: readonly (readonly number[])[]): Html => {
  const pairs = waits.flatMap((of) => of.slice(1).map((wait, index) => [of[index], wait] as const))
  if (pairs.length === 0) return html`<p class="quiet">Fewer than two waits of its own were seen.</p>`
  const range = { least: Math.min(...pairs.flat()), most: Math.max(...pairs.flat(), 2 * Math.min(...pairs.flat())) }
  const x = logScale(range, inset.left, size.width - inset.right)
  const y = logScale(range, size.height - inset.bottom, inset.top)
  const title = 'Each wait against the one before'
  const line = (times: number, kind: string) => {
    const [from, to] = [range.least, range.most / times]
    return html`<path class="guide ${kind}" d="M${x(from).toFixed(1)} ${y(from * times).toFixed(1)}L${x(to).toFixed(1)} ${y(to * times).toFixed(1)}"/>`
  }
  const grid = marksIn(range).map(
    (each) =>
      html`<path class="grid" d="M${inset.left} ${y(each).toFixed(1)}H${size.width - inset.right}"/><text class="tick" x="${inset.left - 6}" y="${y(each).toFixed(1)}" dy="4" text-anchor="end">${formatDuration(each)}</text><text class="tick" x="${x(each).toFixed(1)}" y="${size.height - 10}" text-anchor="middle">${formatDuration(each)}</text>`,
  )
  const dots = pairs.map(
    ([before, wait]) => html`<circle class="wait-mark" cx="${x(before).toFixed(1)}" cy="${y(wait).toFixed(1)}" r="3"/>`,
  )
  return html`<figure class="chart"><figcaption><h3>${title}</h3><p class="how">Each dot is a wait, over the wait before it; both scales grow tenfold. Dots on the upper line have doubled, dots on the lower, dashed line have stayed${schedule.capMs !== null && `: they stay at about ${formatDuration(schedule.capMs)}`}.</p></figcaption>
<div class="plot">${figure(title, html`${grid}${line(2, 'doubled')}${line(1, 'stayed')}${dots}`)}</div></figure>`
}

/** How far the same attempt's wait lies apart from play to play. */
export const jitterFigure = ({ schedule }: ClientReport): Html => {
  const attempts = schedule.spread.slice(0, 12)
  if (attempts.every((each) => each.length < 2))
    return html`<p class="quiet">Too few plays have waited to see jitter.</p>`
  const rowHeight = 26
  const height = inset.top + inset.bottom + attempts.length * rowHeight
  const medians = attempts.map(medianOf)
  const shares = attempts.flatMap((each, at) => each.map((wait) => wait / Math.max(1, medians[at]) - 1))
  const widest = Math.max(0.1, ...shares.map(Math.abs)) * 1.1
  const shown = Math.min(widest, 2)
  const middle = (inset.left + size.width - inset.right) / 2
  const x = (share: number) =>
    middle + (Math.max(-shown, Math.min(shown, share)) / shown) * ((size.width - inset.left - inset.right) / 2)
  const title = 'Jitter: the same attempt from play to play'
  const rows = attempts.map((each, at) => {
    const y = inset.top + at * rowHeight + rowHeight / 2
    const dots = each.map(
      (wait) =>
        html`<circle class="wait-mark" cx="${x(wait / Math.max(1, medians[at]) - 1).toFixed(1)}" cy="${y}" r="3.5"/>`,
    )
    return html`<path class="grid" d="M${inset.left} ${y}H${size.width - inset.right}"/><text class="tick" x="${inset.left - 6}" y="${y}" dy="4" text-anchor="end">${formatDuration(medians[at])}</text>${dots}`
  })
  const axis = [-shown, -shown / 2, 0, shown / 2, shown].map(
    (share, at, all) =>
      html`<text class="tick" x="${x(share).toFixed(1)}" y="${height - 10}" text-anchor="${at === all.length - 1 ? 'end' : 'middle'}">${share > 0 ? '+' : ''}${Math.round(share * 100)} %</text>`,
  )
  const band = html`<path class="grid strong" d="M${middle} ${inset.top}V${height - inset.bottom}"/>`
  const table = html`<table class="figures"><thead><tr><th scope="col">Wait</th><th scope="col">Plays</th><th scope="col">Shortest</th><th scope="col">Median</th><th scope="col">Longest</th></tr></thead><tbody>${attempts.map((each, at) => html`<tr><th scope="row">${at + 1}</th><td>${each.length}</td><td>${formatDuration(each[0])}</td><td>${formatDuration(medians[at])}</td><td>${formatDuration(each[each.length - 1])}</td></tr>`)}</tbody></table>`
  return html`<figure class="chart"><figcaption><h3>${title}</h3><p class="how">A row for each wait, a dot for each play, as a share of the row's median. Dots that lie in one place have no jitter: many such clients come back together.</p></figcaption>
<div class="plot"><svg class="still" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${title}">${band}${rows}${axis}</svg></div>
${tableBehind('figure', false, 'Waits of each attempt', table)}</figure>`
}
