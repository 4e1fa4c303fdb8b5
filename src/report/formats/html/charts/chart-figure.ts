import { tableBehind } from '../marks.js'
import { type Html, html } from '../tag.js'
import { type Chart, momentWords } from './chart.js'
import { stillChart } from './still-chart.js'

/** Rows of the table behind a chart, which is also what the pointer reads; more of them nobody reads. */
const mostRows = 120

const legend = (chart: Chart): Html => {
  const kinds = (['reset', 'retry', 'witness'] as const).filter((kind) =>
    chart.moments.some((each) => each.kind === kind),
  )
  return html`<ul class="legend">
${chart.series.map((each) => html`<li><span class="swatch ${each.mark} tone-${each.tone}${each.dashed ? ' dashed' : ''}"></span>${each.label}</li>`)}
${kinds.map((kind) => html`<li><span class="swatch moment ${kind}"></span>${momentWords[kind]}</li>`)}
</ul>`
}

const cell = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : Math.abs(value).toLocaleString('en-US')

/** Bars of nothing are no figures. */
const isTold = (chart: Chart, at: number): boolean =>
  chart.series.some(({ mark, values }) => (mark === 'bars' ? values[at] !== 0 : (values[at] ?? null) !== null))

const behind = (chart: Chart): Html => {
  const told = chart.x.map((x, at) => [x, at] as const).filter(([, at]) => isTold(chart, at))
  const every = Math.ceil(told.length / mostRows)
  const rows = told.filter((_, at) => at % every === 0 || at === told.length - 1)
  const left = told.length - rows.length
  const decimals = chart.x.every((x) => Math.abs(x * 1000 - Math.round(x * 1000)) < 1e-6) ? 3 : 4
  const table = html`<table class="figures"><thead><tr><th scope="col">Second</th>${chart.series.map((each) => html`<th scope="col">${each.label}</th>`)}</tr></thead>
<tbody>${rows.map(([x, at]) => html`<tr><th scope="row">${x.toFixed(decimals)}</th>${chart.series.map((each) => html`<td>${cell(each.values[at])}</td>`)}</tr>`)}</tbody></table>`
  return tableBehind(
    'chart',
    left > 0 && `${rows.length} of ${told.length} points`,
    `Figures of: ${chart.title}`,
    table,
  )
}

/** A chart with the sentence that says how to read it, its legend, and the table behind it. */
export const chartFigure = (chart: Chart): Html => html`<figure class="chart" id="${chart.id}">
<figcaption><h4>${chart.title}</h4><p class="how">${chart.how}</p></figcaption>
<div class="plot">${stillChart(chart)}</div>
<p class="readout needs-script" hidden aria-hidden="true">Point at the chart to read its values.</p>
${legend(chart)}
${behind(chart)}
</figure>`
