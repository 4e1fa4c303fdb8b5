import { type Html, html, tableBehind, tableHead } from './markup.js'

/** How to draw a series, and in which of the page's colours. */
export interface Series {
  readonly label: string
  readonly mark: 'line' | 'steps' | 'dots' | 'bars'
  readonly tone: 'admitted' | 'refused' | 'unknown' | 'limit' | 'over' | 'log' | 'bucket' | 'windows'
  readonly dashed?: boolean
  readonly values: readonly (number | null)[]
}

/** A moment marked over the whole height. */
export interface Moment {
  readonly at: number
  readonly kind: 'reset' | 'retry' | 'witness' | 'event'
}

/** A chart as data: drawn as a picture, and shown as a table, from which the page's script reads values for the pointer. */
export interface Chart {
  readonly id: string
  readonly title: string
  readonly how: string
  /** Seconds since the run's start, or span lengths in seconds, ascending; every series has a value for each. */
  readonly x: readonly number[]
  /** Whether both axes are logarithmic; then all values are above 0. */
  readonly isLogarithmic?: boolean
  readonly series: readonly Series[]
  readonly moments: readonly Moment[]
  /** A label at the point that the chart is about. */
  readonly label?: { readonly x: number; readonly y: number; readonly text: string } | undefined
}

const momentWords = {
  reset: 'Reset time that the target gave',
  retry: 'End of a wait that Retry-After gave',
  witness: 'Proof that the limit is broken',
  event: 'An event of the scenario, from its beginning to its end',
} as const

/** Thousandths suffice for a time in seconds, and keep the file small. */
export const seconds = (ms: number): number => Math.round(ms) / 1000

/** At most `most` items: the first, the last, and the lowest and highest of each stretch by `value`. */
export const thin = <T>(items: readonly T[], most: number, value: (item: T) => number): T[] => {
  if (items.length <= most) return [...items]
  const size = Math.ceil((items.length * 2) / (most - 2))
  const kept = new Set<number>([0, items.length - 1])
  for (let from = 0; from < items.length; from += size) {
    let low = from
    let high = from
    for (let at = from; at < Math.min(from + size, items.length); at += 1) {
      if (value(items[at] as T) < value(items[low] as T)) low = at
      if (value(items[at] as T) > value(items[high] as T)) high = at
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b).map((at) => items[at] as T)
}

/**
 * Bars over time: served up, refused down, a dot for anything else. `from` and the stretches are in ms; a count's time is the
 * start of its stretch, relative to `from`; `words` name the three.
 */
export const outcomeBars = (
  from: number,
  stretchMs: number,
  counts: readonly (readonly [number, number, number, number])[],
  [well, refused, other]: readonly [string, string, string],
): Pick<Chart, 'x' | 'series'> => {
  const last = counts.reduce((most, [at]) => Math.max(most, at), 0)
  const stretches = Array.from({ length: Math.round(last / stretchMs) + 1 }, (_, at) => at)
  const by = new Map(counts.map((each) => [Math.round(each[0] / stretchMs), each]))
  const values = (column: 1 | 2 | 3) => stretches.map((at) => by.get(at)?.[column] ?? 0)
  const series: Series[] = [
    { label: well, mark: 'bars', tone: 'admitted', values: values(1) },
    { label: refused, mark: 'bars', tone: 'refused', values: values(2).map((value) => 0 - value) },
  ]
  const others = values(3).map((value) => value || null)
  if (others.some((value) => value !== null))
    series.push({ label: other, mark: 'dots', tone: 'unknown', values: others })
  return { x: stretches.map((at) => seconds(from + (at + 0.5) * stretchMs)), series }
}

const width = 720
const height = 240
const inset = { left: 52, right: 12, top: 10, bottom: 30 }
const mostDrawn = 400
const labelRoom = 1.12

/** Round steps of 1, 2 or 5 times a power of ten that divide the span into about `about` parts. */
export const ticks = (from: number, to: number, about: number): number[] => {
  const span = Math.max(to - from, 1e-9)
  const power = 10 ** Math.floor(Math.log10(span / about))
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => span / each <= about) ?? power * 10
  const first = Math.ceil(from / step - 1e-9)
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
}

type Span = readonly [number, number]

const extent = (values: readonly number[], least: number): Span => {
  const low = values.reduce((a, b) => Math.min(a, b), least)
  const high = values.reduce((a, b) => Math.max(a, b), least)
  return [low, high === low ? low + 1 : high]
}

const decades = (from: number, to: number): number[] => {
  const first = Math.ceil(Math.log10(from) - 1e-9)
  return Array.from({ length: Math.floor(Math.log10(to) + 1e-9) - first + 1 }, (_, at) => 10 ** (first + at))
}

/** Positions of values between two ends of the picture, linear or logarithmic, and which values get a tick. */
const axis = (isLogarithmic: boolean, [from, to]: Span, [start, end]: Span, about: number) => {
  const share = (value: number) =>
    isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from)
  return {
    at: (value: number) => (start + share(value) * (end - start)).toFixed(1),
    ticks: isLogarithmic ? decades(from, to) : ticks(from, to, about),
  }
}

const scaleOf = ({ isLogarithmic = false, series, x, label }: Chart) => {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null))
  const [low, high] = isLogarithmic ? extent(values, values[0] ?? 1) : extent(values, 0)
  const least = isLogarithmic ? 10 ** Math.floor(Math.log10(low)) : low
  // A label above its point needs space.
  const most = isLogarithmic || label ? high * labelRoom : high
  return {
    x: axis(isLogarithmic, extent(x, x[0] ?? 0), [inset.left, width - inset.right], 8),
    y: axis(isLogarithmic, [least, most], [height - inset.bottom, inset.top], 5),
  }
}

type Scale = ReturnType<typeof scaleOf>

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
  if (series.mark === 'dots')
    return html`<path class="dots ${tone}" d="${at.map(([x, y]) => `M${scale.x.at(x)} ${scale.y.at(y)}h0`).join('')}"/>`
  if (series.mark === 'bars') {
    const bars = at.filter(([, y]) => y !== 0).map(([x, y]) => `M${scale.x.at(x)} ${scale.y.at(0)}V${scale.y.at(y)}`)
    return html`<path class="bars ${tone}" d="${bars.join('')}"/>`
  }
  const [first, ...rest] = at
  if (first === undefined) return html``
  const step = (x: number, y: number) =>
    series.mark === 'steps' ? `H${scale.x.at(x)}V${scale.y.at(y)}` : `L${scale.x.at(x)} ${scale.y.at(y)}`
  const path = `M${scale.x.at(first[0])} ${scale.y.at(first[1])}${rest.map(([x, y]) => step(x, y)).join('')}`
  return html`<path class="${series.mark} ${tone}" d="${path}"/>`
}

const axes = (chart: Chart, scale: Scale): Html => html`
${scale.y.ticks.map((value) => html`<path class="grid" d="M${inset.left} ${scale.y.at(value)}H${width - inset.right}"/><text class="tick" x="${inset.left - 6}" y="${scale.y.at(value)}" dy="4" text-anchor="end">${Math.abs(value).toLocaleString('en-US')}</text>`)}
${scale.x.ticks.map((value) => html`<text class="tick" x="${scale.x.at(value)}" y="${height - 10}" text-anchor="middle">${value} s</text>`)}
${chart.moments.map((moment) => html`<path class="moment ${moment.kind}" d="M${scale.x.at(moment.at)} ${inset.top}V${height - inset.bottom}"/>`)}`

const within = (chart: Chart): Chart => {
  const [left, right] = extent(chart.x, chart.x[0] ?? 0)
  return { ...chart, moments: chart.moments.filter(({ at }) => at >= left && at <= right) }
}

/** The label is to the left of its point, or to the right if there is more space. */
const labelled = ({ label, x }: Chart, scale: Scale): Html | false => {
  if (label === undefined) return false
  const isLate = label.x > ((x[0] ?? 0) + (x.at(-1) ?? 0)) / 2
  return html`<circle class="label-point" cx="${scale.x.at(label.x)}" cy="${scale.y.at(label.y)}" r="4"/><text class="label" x="${scale.x.at(label.x)}" y="${scale.y.at(label.y)}" dx="${isLate ? -9 : 9}" dy="-5" text-anchor="${isLate ? 'end' : 'start'}">${label.text}</text>`
}

/** The chart as a picture without scripts; the page's script reads its scale and moves its cursor. */
const stillChart = (chart: Chart): Html => {
  const shown = within(chart)
  const [left, right] = extent(chart.x, chart.x[0] ?? 0)
  const scale = scaleOf(shown)
  return html`<svg class="still" viewBox="0 0 ${width} ${height}" role="img" aria-label="${chart.title}" data-from="${left}" data-to="${right}" data-left="${inset.left}" data-right="${width - inset.right}" data-width="${width}"${shown.isLogarithmic === true && html` data-logarithmic`}>${axes(shown, scale)}${shown.series.map((series) => drawn(shown, scale, series))}${labelled(shown, scale)}<path class="cursor" d="M0 ${inset.top}V${height - inset.bottom}"/></svg>`
}

/** The most rows of the table behind a chart, which the pointer also reads; nobody reads more. */
const mostRows = 120

const legend = (chart: Chart): Html => {
  const kinds = (['reset', 'retry', 'witness', 'event'] as const).filter((kind) =>
    chart.moments.some((each) => each.kind === kind),
  )
  return html`<ul class="legend">
${chart.series.map((each) => html`<li><span class="swatch ${each.mark} tone-${each.tone}${each.dashed ? ' dashed' : ''}"></span>${each.label}</li>`)}
${kinds.map((kind) => html`<li><span class="swatch moment ${kind}"></span>${momentWords[kind]}</li>`)}
</ul>`
}

const cell = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : Math.abs(value).toLocaleString('en-US')

/** Empty bars are no figures. */
const isTold = (chart: Chart, at: number): boolean =>
  chart.series.some(({ mark, values }) => (mark === 'bars' ? values[at] !== 0 : (values[at] ?? null) !== null))

const behind = (chart: Chart): Html => {
  const told = chart.x.map((x, at) => [x, at] as const).filter(([, at]) => isTold(chart, at))
  const every = Math.ceil(told.length / mostRows)
  const rows = told.filter((_, at) => at % every === 0 || at === told.length - 1)
  const left = told.length - rows.length
  const decimals = chart.x.every((x) => Math.abs(x * 1000 - Math.round(x * 1000)) < 1e-6) ? 3 : 4
  const table = html`<table class="figures">${tableHead([chart.isLogarithmic ? 'Seconds' : 'Second', ...chart.series.map(({ label }) => label)])}
<tbody>${rows.map(([x, at]) => html`<tr><th scope="row">${x.toFixed(decimals)}</th>${chart.series.map((each) => html`<td>${cell(each.values[at])}</td>`)}</tr>`)}</tbody></table>`
  return tableBehind(
    'chart',
    left > 0 && `${rows.length} of ${told.length} points`,
    `Figures of: ${chart.title}`,
    table,
  )
}

/** A chart with the sentence on how to read it, its legend, and the table behind it. */
export const chartFigure = (chart: Chart): Html => html`<figure class="chart" id="${chart.id}">
<figcaption><h4>${chart.title}</h4><p class="how">${chart.how}</p></figcaption>
<div class="plot">${stillChart(chart)}</div>
<p class="readout needs-script" hidden aria-hidden="true">Point at the chart to read its values.</p>
${legend(chart)}
${behind(chart)}
</figure>`
