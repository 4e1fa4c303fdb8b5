import { visible } from '../escape.js'
import type { Report } from '../model.js'
import { type Labels, type Metric, reportMetrics } from './metrics.js'

const attributes = (labels: Labels) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: visible(value) } }))

/** The last moment that a Date can name. */
const latestMs = 8.64e15

/** The end of the run in nanoseconds since the epoch, as OTLP writes 64-bit integers: in a string; left out where it is not known. */
const endOf = ({ run }: Report): { readonly timeUnixNano?: string } => {
  const endMs = Math.round(Date.parse(run.startedAt) + run.durationMs)
  return endMs >= 0 && endMs <= latestMs ? { timeUnixNano: String(BigInt(endMs) * 1_000_000n) } : {}
}

const gauge = ({ name, help, unit, points }: Metric, time: ReturnType<typeof endOf>) => ({
  name: `quotaspec.${name}`,
  description: help,
  unit,
  gauge: {
    dataPoints: points.map(({ labels, value }) => ({ attributes: attributes(labels), ...time, asDouble: value })),
  },
})

/**
 * The figures of a report as OTLP metrics in JSON: an ExportMetricsServiceRequest, as it is posted to `/v1/metrics` of a
 * collector. A run is a resource; each value has the time at which the run ended.
 */
export const renderOtlp = (report: Report): string => {
  const { tool, run } = report
  const resource = { 'service.name': tool.name, 'service.version': tool.version, 'quotaspec.run.id': run.id }
  const time = endOf(report)
  const request = {
    resourceMetrics: [
      {
        resource: { attributes: attributes(resource) },
        scopeMetrics: [
          {
            scope: { name: tool.name, version: tool.version },
            metrics: reportMetrics(report).map((each) => gauge(each, time)),
          },
        ],
      },
    ],
  }
  return `${JSON.stringify(request, null, 2)}\n`
}
