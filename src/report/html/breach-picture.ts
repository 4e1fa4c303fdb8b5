import { count, formatDuration } from '../../kit/words.js'
import { clip } from '../escape.js'
import { exactMoment, headerOf, isRemaining } from '../findings.js'
import type { Breach, QuotaRow, Report, WitnessRow } from '../model.js'
import { limitInWords } from '../quotas.js'
import type { Chart, Series } from './chart.js'
import { anchor, type Html, html } from './markup.js'
import { quotaTitle } from './plan-row.js'

const longestHeader = 60

/** Rounded to tenths of a millisecond, in seconds: a burst may be over in a few milliseconds. */
const fineSeconds = (ms: number): number => Math.round(ms * 10) / 10_000

/** The UTC time of day of a moment of the run, in thousandths of a second. */
const clockTime = (report: Report, atMs: number): string => {
  const startedAt = Date.parse(report.run.startedAt)
  return Number.isNaN(startedAt) ? formatDuration(atMs) : new Date(startedAt + atMs).toISOString().slice(11, 23)
}

const titleOf = (report: Report, quota: QuotaRow, { kind, admitted, fromMs, toMs }: Breach): string => {
  const when = `between ${clockTime(report, fromMs)} and ${clockTime(report, toMs)} UTC`
  return kind === 'over-admission'
    ? `${quotaTitle(quota)}: ${count(admitted)} admitted, but ${count(quota.limit)} are allowed, ${when}`
    : `${quotaTitle(quota)}: refused with at most ${count(admitted)} of ${count(quota.limit)} admitted, ${when}`
}

const whyNoEdge = ({ bucket, limit }: QuotaRow, admitted: number): string => {
  if (bucket) return 'No earlier level of the bucket explains this together with the rest of the run.'
  if (admitted > 2 * limit) return `Two adjacent windows admit ${count(2 * limit)} at most.`
  return 'No placement of window boundaries explains this together with the rest of the run.'
}

const howOf = (quota: QuotaRow, { kind, admitted, fromMs, toMs }: Breach, before: number): string =>
  kind === 'over-admission'
    ? `The steps count the requests admitted since ${exactMoment(fromMs)} into the run, in the order of their answers.${before > 0 ? ` ${before === 1 ? 'One request was' : `${count(before)} were`} admitted before the picture begins.` : ''} They cross the limit (${limitInWords(quota)}) within ${formatDuration(toMs - fromMs)}. ${whyNoEdge(quota, admitted)}`
    : `The steps count admitted requests in the ${formatDuration(quota.windowMs)} before a refusal, in the order of their answers. When the refusal came, they were still below the limit (${limitInWords(quota)}). The picture begins with the first of them.`

/** A pause of this share of the stretch is left out before the rise: it would fill most of the picture. */
const longPause = 0.4

/** What came before such a pause is left out too if it is at most this share of the limit; more belongs in the picture. */
const littleBefore = 0.1

/** The answer where the picture begins: the one before the rise, if the stretch begins with a long pause. */
const beginsAt = (answers: Breach['answers'], { fromMs, toMs }: Breach, limit: number): number => {
  const times = [fromMs, ...answers.map(([at]) => at)]
  const pauses = answers.map(([at], i) => at - (times[i] ?? at))
  const longest = pauses.reduce((best, pause, i) => (pause > (pauses[best] ?? 0) ? i : best), 0)
  const isLong = (pauses[longest] ?? 0) > (toMs - fromMs) * longPause
  return isLong && (answers[longest - 1]?.[2] ?? 0) <= limit * littleBefore ? longest : 0
}

/** The share of the picture before its first answer. */
const shownBefore = 0.08

const nth = (value: number): string => {
  const isTeen = value % 100 >= 11 && value % 100 <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${count(value)}${ending}`
}

const labelOf = ({ kind, shownBy = [] }: Breach): Chart['label'] => {
  const shown = shownBy.at(-1)
  if (shown === undefined) return undefined
  const text = kind === 'over-admission' ? `${nth(shown.admitted)}: admitted` : 'refused here'
  return { x: fineSeconds(shown.receivedMs), y: shown.admitted, text }
}

/** What an answer shows as Remaining: ` It says X-RateLimit-Remaining: 1, …`; a longer quota of the key is named as such. */
const remainingSaid = ({ limit }: QuotaRow, admitted: number, x: WitnessRow | undefined): string => {
  const shown = x?.response?.headers.find(([name]) => isRemaining(name))
  if (x === undefined || shown === undefined) return ''
  const [longer, remaining] = [Number(headerOf(x, 'x-ratelimit-limit') ?? Number.NaN), Number(shown[1])]
  if (longer > limit && remaining >= 0)
    return ` It shows a longer quota of the key: ${count(remaining)} of ${count(longer)} left.`
  const total =
    remaining > 0 && admitted + remaining > limit ? `, which makes ${count(admitted + remaining)} in total` : ''
  return ` It says ${clip(shown[0], longestHeader)}: ${clip(shown[1], longestHeader)}${total}.`
}

/** An answer of the stretch with its count: `At 3.402 s of the run (13:54:12.402 UTC): 61st admitted since 13:54:09.000; …`. */
export const countedAnswer = (
  report: Report,
  quota: QuotaRow,
  { outcome, admitted, receivedMs }: NonNullable<Breach['shownBy']>[number],
  x: WitnessRow | undefined,
): string => {
  const { breach, limit } = quota
  const at = `At ${exactMoment(receivedMs)} of the run (${clockTime(report, receivedMs)} UTC)`
  const counted = outcome === 'admitted' ? `${nth(admitted)} admitted` : `refused, with ${count(admitted)} admitted`
  return `${at}: ${counted} since ${clockTime(report, breach?.fromMs ?? receivedMs)}; the limit is ${count(limit)}.${remainingSaid(quota, outcome === 'admitted' ? admitted : 0, x)}`
}

/** The burst's results, if the picture shows it. */
export const burstLineOf = ({ breach, sent, admitted, refused, unknown }: QuotaRow): Html | false =>
  breach?.isBurst === true &&
  html`<p>The burst, with the request that opened it: ${count(sent)} sent, ${count(admitted)} admitted, ${count(refused)} refused${unknown > 0 && `, ${count(unknown)} without a clear answer`}.</p>`

/** The admissions step by step, starting from `before`; the line of the limit; and the refusals, if any. */
const seriesOf = (answers: Breach['answers'], before: number, limit: number): Series[] => {
  const steps = [before, ...answers.map(([, , admitted]) => admitted)]
  const refused = [null, ...answers.map(([, outcome, admitted]) => (outcome === 'refused' ? admitted : null))]
  const dots: Series = {
    label: 'Refused, drawn at the count of admitted requests',
    mark: 'dots',
    tone: 'refused',
    values: refused,
  }
  return [
    { label: 'Admitted so far', mark: 'steps', tone: 'admitted', values: steps },
    { label: `Limit: ${count(limit)}`, mark: 'line', tone: 'over', dashed: true, values: steps.map(() => limit) },
    ...(refused.some((each) => each !== null) ? [dots] : []),
  ]
}

/** The stretch that shows a quota to be broken, with the line of its limit; `null` if there is none. */
export const breachChart = (report: Report, quota: QuotaRow): Chart | null => {
  const { breach } = quota
  if (!breach || breach.answers.length === 0) return null
  const from = beginsAt(breach.answers, breach, quota.limit)
  const answers = breach.answers.slice(from)
  const before = breach.answers[from - 1]?.[2] ?? 0
  const [first, last] = [answers[0]?.[0] ?? breach.fromMs, answers.at(-1)?.[0] ?? breach.toMs]
  const startMs = Math.max(breach.fromMs, first - (last - first || 1) * shownBefore)
  return {
    id: anchor('chart', `${quota.plan}-${quota.window}-breach`),
    title: titleOf(report, quota, breach),
    how: howOf(quota, breach, before),
    x: [fineSeconds(startMs), ...answers.map(([at]) => fineSeconds(at))],
    series: seriesOf(answers, before, quota.limit),
    moments: [],
    label: labelOf(breach),
  }
}
