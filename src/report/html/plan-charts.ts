import { countUpTo } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { count, formatDuration, listInWords } from '../../kit/words.js'
import type { EnvelopeRow, QuotaRow, Report, Timeline } from '../model.js'
import { type Family, familyOf, limitInWords } from '../quotas.js'
import { type Chart, type Moment, outcomeBars, type Series, seconds, thin } from './chart.js'
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

const timesOf = onceFor((admissions: Timeline['admissions']) => Float64Array.from(admissions, ([at]) => at))

/** How many admissions had been received by a moment: the count of the last kept record, or of the next one. */
const countBy = (admissions: Timeline['admissions'], at: number, rounding: 'last' | 'next'): number => {
  const heard = countUpTo(timesOf(admissions), at)
  if (rounding === 'last') return admissions[heard - 1]?.[1] ?? 0
  return (admissions[heard] ?? admissions.at(-1))?.[1] ?? 0
}

const longestMs = (timeline: Timeline): number =>
  timeline.points.reduce((most, [sent, received]) => Math.max(most, received === null ? 0 : received - sent), 0)

/**
 * The most that could have been admitted by each moment of `at`, given earlier admissions: at least what each family of
 * limiters allows. Only receipts are known, so a request counts as decided up to the longest delay before.
 *
 * - log: L in any window
 * - bucket: L, plus L each window, evenly
 * - windows: 2 L in any span as long as a window, since two windows may meet in it
 */
export const ceilings = (timeline: Timeline, at: readonly number[]): Readonly<Record<Family, number[]>> => {
  const { admissions, limit, windowMs } = timeline
  const slackMs = longestMs(timeline)
  const sentBy = (moment: number) => countBy(admissions, moment + slackMs, 'next')
  const start = timeline.points[0]?.[0] ?? admissions[0]?.[0] ?? 0
  const before = (moment: number) => (moment - windowMs < start ? 0 : sentBy(moment - windowMs))
  let spare = -start
  let next = 0
  const bucket = at.map((moment) => {
    for (; next < admissions.length && (admissions[next]?.[0] ?? 0) <= moment; next += 1) {
      const since = admissions[next]?.[0] ?? 0
      spare = Math.min(spare, (sentBy(since) * windowMs) / limit - since)
    }
    return limit + ((spare + moment) * limit) / windowMs
  })
  return {
    log: at.map((moment) => before(moment) + limit),
    bucket,
    windows: at.map((moment) => before(moment) + 2 * limit),
  }
}

const admittedWithinWindow = (timeline: Timeline, moment: number): number =>
  countBy(timeline.admissions, moment, 'last') - countBy(timeline.admissions, moment - timeline.windowMs, 'last')

const mostPoints = 700
const mostMoments = 200

const markedMoments = (report: Report, timeline: Timeline, quota: QuotaRow | undefined): Moment[] => {
  // For a quota that is kept, they only show how it does not count.
  const isBroken = quota?.verdict === 'fail'
  const named = new Set(isBroken ? Object.values(quota.refutations).flatMap((each) => each.witnesses) : [])
  // The same moment as in the finding's picture, if there is one.
  const crossed = quota?.breach?.shownBy?.at(-1)
  const witnesses = crossed
    ? [crossed.receivedMs]
    : report.exchanges.filter((x) => named.has(x.id)).map((x) => x.receivedAt ?? x.sentAt)
  const of = (kind: Moment['kind'], times: readonly number[]): Moment[] =>
    [...new Set(times.map(seconds))].slice(0, mostMoments).map((at) => ({ at, kind }))
  const events = report.events.flatMap(({ at, endedAt }) => [at, endedAt])
  return [
    ...of('reset', timeline.resets),
    ...of('retry', timeline.retryMoments),
    ...of('witness', witnesses),
    ...of('event', events),
  ]
}

/** Answers in each stretch of time: admitted ones up, refused ones down. Old reports have no such counts. */
const answersChart = ({ plan, points, stretchMs, counts }: Timeline, moments: readonly Moment[]): Chart[] => {
  const first = points.reduce((least, [sent]) => Math.min(least, sent), Number.POSITIVE_INFINITY)
  const chart = {
    id: anchor('chart', `${plan}-answers`),
    title: 'Requests by outcome over time',
    how: `Each bar counts the requests that were sent in ${formatDuration(stretchMs)}: admitted ones point up, refused ones down. A correct limiter admits requests again when the target says so.`,
    ...outcomeBars(first, stretchMs, counts, ['Admitted', 'Refused', 'Outcome unknown']),
    moments,
  }
  return stretchMs > 0 ? [chart] : []
}

const familyNames: Readonly<Record<Family, string>> = {
  log: 'Sliding log: the limit in any window',
  bucket: 'Bucket: holds the limit, refilled evenly',
  windows: 'Windows: the limit in each, so twice the limit when two meet',
}

const familyLabel = (
  family: Family,
  models: QuotaRow['models'],
): { readonly label: string; readonly isRuledOut: boolean } => {
  const mine = membersOf(family, models)
  const explained = mine.some(([, verdict]) => verdict === 'explained')
  const word = mine.length === 0 ? 'not judged' : explained ? 'fits' : 'ruled out'
  return { label: `${familyNames[family]} (${word})`, isRuledOut: mine.length > 0 && !explained }
}

const membersOf = (family: Family, models: QuotaRow['models']) =>
  Object.entries(models).filter(([name]) => familyOf(name) === family)

/** The permitted families, if any was judged: a way of counting that is not permitted is no line to compare with. */
const permittedFamilies = (models: QuotaRow['models']): Family[] =>
  (['log', 'bucket', 'windows'] as const).filter(
    (family) => Object.keys(models).length === 0 || membersOf(family, models).length > 0,
  )

const admissionsChart = (timeline: Timeline, quota: QuotaRow | undefined, moments: readonly Moment[]): Chart => {
  const kept = thin(timeline.admissions, mostPoints, ([, value]) => value)
  const times = kept.map(([at]) => at)
  const most = ceilings(timeline, times)
  const lines = permittedFamilies(quota?.models ?? {}).map((family): Series => {
    const { label, isRuledOut } = familyLabel(family, quota?.models ?? {})
    return {
      label,
      mark: 'line',
      tone: family,
      dashed: isRuledOut,
      values: most[family].map((value) => Math.round(value * 10) / 10),
    }
  })
  return {
    id: anchor('chart', `${timeline.plan}-admissions`),
    title: 'Total admitted, and the most that each limiter allows',
    how: `The thick line counts admitted requests. Each thin line shows the most that one kind of limiter with a limit of ${count(timeline.limit)} could have admitted by then. A dashed line is a kind that is ruled out. Often the thick line rises above it; if not, a shorter stretch or a refusal rules it out, and “How we know” names the answers.`,
    x: times.map(seconds),
    series: [{ label: 'Admitted', mark: 'steps', tone: 'admitted', values: kept.map(([, value]) => value) }, ...lines],
    moments,
  }
}

const remainingChart = (timeline: Timeline, moments: readonly Moment[]): Chart | null => {
  const told = timeline.points.flatMap(([sent, received, , left]) =>
    left === null ? [] : [[received ?? sent, left] as const],
  )
  if (told.length === 0) return null
  const kept = thin(
    told.toSorted((a, b) => a[0] - b[0]),
    mostPoints,
    ([, left]) => left,
  )
  return {
    id: anchor('chart', `${timeline.plan}-remaining`),
    title: 'Remaining, as shown and as counted',
    how: 'Each dot is the Remaining that an answer showed. The line is the limit minus what the last window admitted. They agree if the target counts that window. They differ if it counts another one, or also counts requests that it refuses. Answers about the day are left out.',
    x: kept.map(([at]) => seconds(at)),
    series: [
      { label: 'Shown by the header', mark: 'dots', tone: 'admitted', values: kept.map(([, left]) => left) },
      {
        label: 'Limit minus what the last window admitted',
        mark: 'steps',
        tone: 'limit',
        values: kept.map(([at]) => Math.max(0, timeline.limit - admittedWithinWindow(timeline, at))),
      },
    ],
    moments,
  }
}

const quotaOfTimeline = (report: Report, timeline: Timeline): QuotaRow | undefined =>
  report.quotas.find((quota) => quota.plan === timeline.plan && quota.windowMs === timeline.windowMs) ??
  report.quotas.find((quota) => quota.plan === timeline.plan)

/** The charts of a plan's story; none for a story without exchanges. */
export const planCharts = (report: Report, timeline: Timeline): Chart[] => {
  if (timeline.points.length === 0) return []
  const quota = quotaOfTimeline(report, timeline)
  const moments = markedMoments(report, timeline, quota)
  // A bucket refills continuously: the admissions of one window do not tell what it has left.
  const remaining = quota?.bucket
    ? null
    : remainingChart(
        timeline,
        moments.filter(({ kind }) => kind === 'reset' || kind === 'event'),
      )
  return [
    admissionsChart(
      timeline,
      quota,
      moments.filter(({ kind }) => kind === 'witness' || kind === 'event'),
    ),
    ...answersChart(
      timeline,
      moments.filter((each) => each.kind !== 'witness'),
    ),
    ...(remaining === null ? [] : [remaining]),
  ]
}
