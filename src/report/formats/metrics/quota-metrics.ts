import { measurePlan } from '../../gates/measure.js'
import type { QuotaRow, Report } from '../../model.js'
import { held, inSeconds, type Labels, type Metric, metric } from './metric.js'

const labelsOf = ({ plan, window }: QuotaRow): Labels => ({ plan, window })

const decided = ['admitted', 'refused', 'unknown'] as const

/** What was found of each quota: whether it is kept, what it let through, when it came back. */
export const quotaMetrics = (report: Report): Metric[] => {
  const { quotas } = report
  const plans = [...new Set(quotas.map(({ plan }) => plan))]
  const each = (value: (row: QuotaRow) => number | null | undefined) =>
    quotas.map((row) => [labelsOf(row), value(row)] as const)
  return [
    metric(
      'quota.kept',
      '1',
      'Whether a limiter explains what a quota admitted and refused; absent where it was not judged.',
      each(({ verdict }) => held(verdict)),
    ),
    metric(
      'quota.limit',
      '{request}',
      'Requests that a quota allows in one window.',
      each(({ limit }) => limit),
    ),
    metric(
      'quota.window',
      's',
      'The window of a quota.',
      each(({ windowMs }) => inSeconds(windowMs)),
    ),
    metric(
      'quota.requests',
      '{request}',
      'Requests of the burst that a quota was judged by, as it decided them.',
      quotas.flatMap((row) => decided.map((outcome) => [{ ...labelsOf(row), outcome }, row[outcome]] as const)),
    ),
    metric(
      'quota.most_admitted',
      '{request}',
      'The most that was admitted within any span of one window; a fixed window allows up to twice its limit.',
      each(({ worstMinute }) => worstMinute),
    ),
    metric(
      'quota.recovery',
      's',
      'From the last refusal of the load to the first admission after it.',
      each(({ recovery }) => inSeconds(recovery?.afterMs)),
    ),
    metric(
      'quota.recovery_late',
      's',
      'For how long the key was still refused after the moment that Retry-After had named.',
      each(({ recovery }) => inSeconds(recovery?.lateMs)),
    ),
    metric(
      'plan.over_admitted',
      '{request}',
      'Requests beyond what the closest limiter that the contract allows lets through.',
      plans.map((plan) => [{ plan }, measurePlan(report, 'overAdmitted', plan)]),
    ),
    metric(
      'plan.early_refused',
      '{request}',
      'Refusals that the closest limiter that the contract allows does not explain.',
      plans.map((plan) => [{ plan }, measurePlan(report, 'earlyRefused', plan)]),
    ),
  ]
}
