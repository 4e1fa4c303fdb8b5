import { describe, expect, it } from 'vitest'
import { everyReport, reportNames } from '../testing/every-report.js'
import { readOtlp } from '../testing/foreign-otlp.js'
import { renderOtlp, reportMetrics } from './metrics.js'

const { passing, failing } = everyReport

describe("OTLP, read by OpenTelemetry's own definitions", () => {
  it.each(reportNames)('of a %s run comes back as it was', (name) => {
    const json = renderOtlp(everyReport[name])
    expect(readOtlp(json)).toEqual(JSON.parse(json))
  })

  it('would be found out where it is not', () => {
    const json = renderOtlp(failing)
    const misspelt = json.replaceAll('asDouble', 'asNumber')
    expect(readOtlp(misspelt)).not.toEqual(JSON.parse(misspelt))
    const nameless = json.replaceAll('"name"', '"called"')
    expect(readOtlp(nameless)).not.toEqual(JSON.parse(nameless))
  })
})

describe('OTLP', () => {
  it('has every figure, at the time at which the run ended', () => {
    const [{ resource, scopeMetrics }] = JSON.parse(renderOtlp(failing)).resourceMetrics
    expect(resource.attributes).toContainEqual({
      key: 'quotaspec.run.id',
      value: { stringValue: '2026-11-21T10-00-00Z-7' },
    })
    const { metrics } = scopeMetrics[0]
    expect(metrics.map(({ name }: { name: string }) => name)).toEqual(
      reportMetrics(failing).map(({ name }) => `quotaspec.${name}`),
    )
    expect(metrics.find(({ name }: { name: string }) => name === 'quotaspec.run.duration')).toMatchObject({
      unit: 's',
      gauge: { dataPoints: [{ timeUnixNano: '1795255241200000000', asDouble: 41.2 }] },
    })
  })

  it('names no time where the report does not say it', () => {
    const report = { ...passing, run: { ...passing.run, startedAt: 'noon' } }
    expect(renderOtlp(report)).not.toContain('timeUnixNano')
  })
})
