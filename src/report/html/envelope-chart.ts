import { count, formatDuration, listInWords } from '../../kit/words.js'
import type { EnvelopeRow, Report } from '../model.js'
import { limitInWords } from '../quotas.js'
import type { Chart } from './chart.js'
import { anchor } from './markup.js'

type Point = EnvelopeRow['points'][number]

/** A curve that is flat for this many points, half a power of ten, has a corner where that begins. */
const flatPoints = 5
/** A difference of up to one hundredth, or one request, counts as flat. */
const flatShare = 0.01

const mostCorners = 3

/** Where the curve becomes flat: a burst is spent, and nothing more is admitted for a while. */
const cornersOf = (points: readonly Point[]): Point[] => {
  const corners: Point[] = []
  let at = 0
  while (at < points.length) {
    const { admitted } = points[at]
    const height = admitted + Math.max(1, admitted * flatShare)
    const higher = points.findIndex((each, i) => i > at && each.admitted > height)
    const end = higher < 0 ? points.length : higher
    const corner = points.find((each, i) => i >= at && each.admitted === points[end - 1].admitted)
    const isFlat = end - at > flatPoints
    if (isFlat && corner) corners.push(corner)
    at = isFlat ? end : at + 1
  }
  return corners.slice(0, mostCorners)
}

const within = ({ admitted, spanMs }: Point): string => `${count(admitted)} within ${formatDuration(spanMs)}`

/** The burst and rate, in words: `At most 60 within 40 ms; in the longest span, 31.6 s, 263, or 8.3 a second.` */
const cornersInWords = (corners: readonly Point[], longest: Point): string => {
  const rate = ((longest.admitted * 1000) / longest.spanMs).toLocaleString('en-US', { maximumSignificantDigits: 2 })
  const inAll = `in the longest span, ${formatDuration(longest.spanMs)}, ${count(longest.admitted)}, or ${rate} a second`
  return corners.length === 0 ? `At most ${inAll}.` : `At most ${listInWords(corners.map(within))}; ${inAll}.`
}

/** The most that was admitted within spans of each length, and the most allowed; undefined if nothing was admitted. */
export const envelopeChart = (
  report: Pick<Report, 'quotas'>,
  { plan, quota: window, points }: EnvelopeRow,
): Chart | undefined => {
  const shown = points.filter(({ admitted }) => admitted > 0)
  const longest = shown.at(-1)
  if (longest === undefined || shown.length < 2) return undefined
  const corners = cornersOf(shown)
  const quota = report.quotas.find((each) => each.plan === plan && each.window === window)
  return {
    id: anchor('chart', `${plan}-${window}-envelope`),
    title: 'The most admitted within any span of time',
    how: `${cornersInWords(corners, longest)} The steps show it for each length of a span, from milliseconds to the whole run; the thin line is the most that a limiter of ${quota ? limitInWords(quota) : 'this quota'} allows. Where the steps stay flat, a burst is spent: its height there is the measured limit. Both axes show powers of ten.`,
    x: shown.map(({ spanMs }) => Number((spanMs / 1000).toPrecision(3))),
    series: [
      { label: 'Admitted', mark: 'steps', tone: 'admitted', values: shown.map(({ admitted }) => admitted) },
      { label: 'Allowed', mark: 'line', tone: 'limit', values: shown.map(({ allowed }) => allowed) },
      {
        label: 'Corner: a burst is spent',
        mark: 'dots',
        tone: 'over',
        values: shown.map((each) => (corners.includes(each) ? each.admitted : null)),
      },
    ],
    isLogarithmic: true,
    moments: [],
  }
}
