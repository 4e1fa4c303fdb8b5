import { clip, visible } from '../../escape.js'
import type { Report } from '../../model.js'
import { loadMetrics } from './load-metrics.js'
import type { Labels, Metric } from './metric.js'
import { quotaMetrics } from './quota-metrics.js'
import { runMetrics } from './run-metrics.js'

const longestLabel = 200

const shown = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, clip(visible(value), longestLabel)]))

/** A series has one value: of several loads that are called alike, the second one is part 2. */
const apart = (points: Metric['points']): Metric['points'] => {
  const seen = new Map<string, number>()
  return points.map(({ labels, value }) => {
    const key = JSON.stringify(labels)
    const part = (seen.get(key) ?? 0) + 1
    seen.set(key, part)
    return part === 1 ? { labels, value } : { labels: { ...labels, part: String(part) }, value }
  })
}

/**
 * The figures of a report as metrics, each with at least one value, each value with target and scenario among its labels,
 * and no two values of a metric with the same labels. No label holds a character that can't be seen.
 */
export const reportMetrics = (report: Report): Metric[] => {
  const common = { target: report.target.baseUrl, scenario: report.run.scenario }
  return [...runMetrics(report), ...quotaMetrics(report), ...loadMetrics(report)]
    .filter(({ points }) => points.length > 0)
    .map((each) => ({
      ...each,
      points: apart(each.points.map(({ labels, value }) => ({ labels: shown({ ...common, ...labels }), value }))),
    }))
}
