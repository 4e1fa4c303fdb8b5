import { formatDuration } from '../../../kit/duration.js'
import type { Breach, QuotaRow, Report } from '../../model.js'
import { count, limitInWords } from '../../summary.js'
import type { Chart } from '../charts/chart.js'
import { quotaTitle } from '../plan-row.js'
import { anchor } from '../tag.js'

/** Tenths of a millisecond, in seconds: a burst may be over in a few milliseconds. */
const fineSeconds = (ms: number): number => Math.round(ms * 10) / 10_000

/** The time of day in UTC of a moment of the run, to the hundredth of a second. */
const clockTime = (report: Report, atMs: number): string => {
  const startedAt = Date.parse(report.run.startedAt)
  return Number.isNaN(startedAt) ? formatDuration(atMs) : new Date(startedAt + atMs).toISOString().slice(11, 22)
}

const titleOf = (report: Report, quota: QuotaRow, { kind, admitted, fromMs, toMs }: Breach): string => {
  const when = `between ${clockTime(report, fromMs)} and ${clockTime(report, toMs)} UTC`
  return kind === 'over-admission'
    ? `${quotaTitle(quota)}: ${count(admitted)} admitted where ${count(quota.limit)} are allowed, ${when}`
    : `${quotaTitle(quota)}: refused with at most ${count(admitted)} of ${count(quota.limit)} admitted, ${when}`
}

const howOf = (quota: QuotaRow, { kind, fromMs, toMs }: Breach): string =>
  kind === 'over-admission'
    ? `The steps count what was admitted, from the first request of this stretch on. They cross the line of the limit (${limitInWords(quota)}) within ${formatDuration(toMs - fromMs)}. No place for a window's edge accounts for this and for all else that was seen on the key.`
    : `The steps count what was admitted in the ${formatDuration(quota.windowMs)} before a refusal. They are still below the line of the limit (${limitInWords(quota)}) where it came, and the picture begins with the first of them.`

/** The stretch in which a quota is seen to be broken, with the line of its limit; `null` where there is none. */
export const breachChart = (report: Report, quota: QuotaRow): Chart | null => {
  const { breach } = quota
  if (!breach || breach.answers.length === 0) return null
  const { answers } = breach
  // Before an early refusal a window may have been quiet for long: the picture begins with its first answer.
  const fromMs = breach.kind === 'over-admission' ? breach.fromMs : (answers[0]?.[0] ?? breach.fromMs)
  const steps = [0, ...answers.map(([, , admitted]) => admitted)]
  const refused = [null, ...answers.map(([, outcome, admitted]) => (outcome === 'refused' ? admitted : null))]
  return {
    id: anchor('chart', `${quota.plan}-${quota.window}-breach`),
    title: titleOf(report, quota, breach),
    how: howOf(quota, breach),
    yLabel: 'admitted',
    x: [0, ...answers.map(([at]) => fineSeconds(at - fromMs))],
    series: [
      { label: 'Admitted so far', mark: 'steps', tone: 'admitted', dashed: false, values: steps },
      {
        label: `Limit: ${count(quota.limit)}`,
        mark: 'line',
        tone: 'over',
        dashed: true,
        values: steps.map(() => quota.limit),
      },
      ...(refused.some((each) => each !== null)
        ? [{ label: 'Refused', mark: 'dots', tone: 'refused', dashed: false, values: refused } as const]
        : []),
    ],
    moments: [],
  }
}
