import { type Html, html } from '../tag.js'
import type { Chart, Series } from './chart.js'

const width = 720
const height = 240
const inset = { left: 52, right: 12, top: 10, bottom: 30 }
const mostDrawn = 400
const labelRoom = 1.12

/** Round steps of 1, 2 or 5 times a power of ten that cover the span in about `about` parts. */
export const ticks = (from: number, to: number, about: number): number[] => {
  const span = Math.max(to - from, 1e-9)
  const power = 10 ** Math.floor(Math.log10(span / about))
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => span / each <= about) ?? power * 10
  const first = Math.ceil(from / step - 1e-9)
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
}

interface Scale {
  readonly x: (value: number) => string
  readonly y: (value: number) => string
  readonly xTicks: readonly number[]
  readonly yTicks: readonly number[]
}

const extent = (values: readonly number[], least: number): readonly [number, number] => {
  const low = values.reduce((a, b) => Math.min(a, b), least)
  const high = values.reduce((a, b) => Math.max(a, b), least)
  return [low, high === low ? low + 1 : high]
}

const scaleOf = (chart: Chart): Scale => {
  const [left, right] = extent(chart.x, chart.x[0] ?? 0)
  const [low, highest] = extent(
    chart.series.flatMap((each) => each.values.filter((value) => value !== null)),
    0,
  )
  // A word above its point needs room.
  const high = chart.label ? highest * labelRoom : highest
  const x = (value: number) => inset.left + ((value - left) / (right - left)) * (width - inset.left - inset.right)
  const y = (value: number) =>
    height - inset.bottom - ((value - low) / (high - low)) * (height - inset.top - inset.bottom)
  const short = (value: number) => value.toFixed(1)
  return {
    x: (value) => short(x(value)),
    y: (value) => short(y(value)),
    xTicks: ticks(left, right, 8),
    yTicks: ticks(low, high, 5),
  }
}

const points = (chart: Chart, series: Series): readonly (readonly [number, number])[] => {
  const all = chart.x.flatMap((x, at) => {
    const value = series.values[at]
    return value === null || value === undefined ? [] : [[x, value] as const]
  })
  const every = Math.ceil(all.length / mostDrawn)
  return series.mark === 'bars' ? all : all.filter((_, at) => at % every === 0 || at === all.length - 1)
}

const drawn = (chart: Chart, scale: Scale, series: Series): Html => {
  const at = points(chart, series)
  const tone = `tone-${series.tone}${series.dashed ? ' dashed' : ''}`
  if (series.mark === 'dots') {
    return html`<path class="dots ${tone}" d="${at.map(([x, y]) => `M${scale.x(x)} ${scale.y(y)}h0`).join('')}"/>`
  }
  if (series.mark === 'bars') {
    const bars = at.filter(([, y]) => y !== 0).map(([x, y]) => `M${scale.x(x)} ${scale.y(0)}V${scale.y(y)}`)
    return html`<path class="bars ${tone}" d="${bars.join('')}"/>`
  }
  const [first, ...rest] = at
  if (first === undefined) return html``
  const step = (x: number, y: number) =>
    series.mark === 'steps' ? `H${scale.x(x)}V${scale.y(y)}` : `L${scale.x(x)} ${scale.y(y)}`
  const path = `M${scale.x(first[0])} ${scale.y(first[1])}${rest.map(([x, y]) => step(x, y)).join('')}`
  return html`<path class="${series.mark} ${tone}" d="${path}"/>`
}

const axes = (chart: Chart, scale: Scale): Html => html`
${scale.yTicks.map((value) => html`<path class="grid" d="M${inset.left} ${scale.y(value)}H${width - inset.right}"/><text class="tick" x="${inset.left - 6}" y="${scale.y(value)}" dy="4" text-anchor="end">${Math.abs(value).toLocaleString('en-US')}</text>`)}
${scale.xTicks.map((value) => html`<text class="tick" x="${scale.x(value)}" y="${height - 10}" text-anchor="middle">${value} s</text>`)}
${chart.moments.map((moment) => html`<path class="moment ${moment.kind}" d="M${scale.x(moment.at)} ${inset.top}V${height - inset.bottom}"/>`)}`

const within = (chart: Chart): Chart => {
  const [left, right] = extent(chart.x, chart.x[0] ?? 0)
  return { ...chart, moments: chart.moments.filter(({ at }) => at >= left && at <= right) }
}

/** The word stands to the left of its point, or to the right where there is more room. */
const labelled = ({ label, x }: Chart, scale: Scale): Html | false => {
  if (label === undefined) return false
  const isLate = label.x > ((x[0] ?? 0) + (x.at(-1) ?? 0)) / 2
  return html`<circle class="label-point" cx="${scale.x(label.x)}" cy="${scale.y(label.y)}" r="4"/><text class="label" x="${scale.x(label.x)}" y="${scale.y(label.y)}" dx="${isLate ? -9 : 9}" dy="-5" text-anchor="${isLate ? 'end' : 'start'}">${label.text}</text>`
}

/** The chart as a picture that needs no script; the page's script reads the scale from it and moves its cursor. */
export const stillChart = (chart: Chart): Html => {
  const shown = within(chart)
  const [left, right] = extent(chart.x, chart.x[0] ?? 0)
  const scale = scaleOf(shown)
  return html`<svg class="still" viewBox="0 0 ${width} ${height}" role="img" aria-label="${chart.title}" data-from="${left}" data-to="${right}" data-left="${inset.left}" data-right="${width - inset.right}" data-width="${width}">${axes(shown, scale)}${shown.series.map((series) => drawn(shown, scale, series))}${labelled(shown, scale)}<path class="cursor" d="M0 ${inset.top}V${height - inset.bottom}"/></svg>`
}
