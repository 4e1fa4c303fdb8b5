import { expect, it } from 'vitest'
import { passingReport } from '../testing/passing-report.js'
import { chartFigure } from './chart.js'
import { envelopeChart } from './plan-charts.js'

const [row] = passingReport.envelopes

it('tells the burst, the double burst and the rate', () => {
  expect(envelopeChart(passingReport, row)?.how).toMatch(
    /^At most 60 within 50 ms and 120 within 1\.6 s; in the longest span, 20\.0 s, 240, or 12 a second\./,
  )
})

it('tells a rate of over a hundred in plain digits', () => {
  const points = row.points.map((each) => ({ ...each, admitted: each.admitted * 200 }))
  expect(envelopeChart(passingReport, { ...row, points })?.how).toContain('or 2,400 a second.')
})

it('has a corner where a hidden window of 10 s caps a minute of 300 at 50', () => {
  const points = Array.from({ length: 50 }, (_, i) => {
    const spanMs = 10 ** (i / 10)
    return { spanMs, admitted: 50 * (1 + Math.floor(spanMs / 10_000)), allowed: 300 }
  })
  expect(envelopeChart(passingReport, { ...row, points })?.how).toMatch(/^At most 50 within 1 ms\b/)
})

it('draws powers of ten at even distances', () => {
  const chart = envelopeChart(passingReport, row)
  const markup = chart ? chartFigure(chart).markup : ''
  const ticks = [...markup.matchAll(/class="tick" x="([\d.]+)"[^>]*>([\d.]+) s</g)].map(([, x, at]) => [Number(x), at])
  expect(ticks.map(([, at]) => at)).toEqual(['0.1', '1', '10'])
  const places = ticks.map(([x]) => Number(x))
  expect(places[1] - places[0]).toBeCloseTo(places[2] - places[1], 0)
  expect(markup).toContain('data-logarithmic')
})

it('draws nothing where nothing was admitted', () => {
  const points = row.points.map((each) => ({ ...each, admitted: 0 }))
  expect(envelopeChart(passingReport, { ...row, points })).toBeUndefined()
})
