import type { Report } from '../model.js'
import { type Labels, type Metric, reportMetrics } from './metrics.js'

const labelValue = (value: string): string => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(',')

const family = ({ name, help, unit, points }: Metric): string[] => {
  const seconds = unit === 's'
  const full = `quotaspec_${name.replaceAll('.', '_')}${seconds ? '_seconds' : ''}`
  return [
    `# TYPE ${full} gauge`,
    ...(seconds ? [`# UNIT ${full} seconds`] : []),
    `# HELP ${full} ${help}`,
    ...points.map(({ labels, value }) => `${full}{${labelsText(labels)}} ${value}`),
  ]
}

/**
 * The figures of a report as OpenMetrics text, version 1.0.0. All are gauges without a time, so that readers of the older
 * Prometheus text format, such as the node exporter's textfile collector, take it as it is.
 */
export const renderOpenMetrics = (report: Report): string =>
  `${[...reportMetrics(report).flatMap(family), '# EOF'].join('\n')}\n`
