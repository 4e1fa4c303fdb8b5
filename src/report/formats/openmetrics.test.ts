import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyReport, type ReportName, reportNames } from '../testing/every-report.js'
import { hasMetricsParser, readMetrics } from '../testing/foreign-metrics.js'
import { renderOpenMetrics, reportMetrics } from './metrics.js'

// On CI a missing tool is a failure, never a skip that reads green.
const skipped = !hasMetricsParser && !process.env.CI
if (skipped) console.warn('\n!!! NOT TESTED: OpenMetrics against its parser. There is no python3-prometheus-client.\n')

const { passing, failing, attacking } = everyReport

/** Each value of the text by its name and those labels that are not on all. */
const valuesOf = (name: ReportName): ReadonlyMap<string, number> =>
  new Map(
    readMetrics(renderOpenMetrics(everyReport[name]), 'openmetrics').flatMap(({ samples }) =>
      samples.map(({ name, labels: { target: _, scenario: __, ...labels }, value }) => [
        `${name}${JSON.stringify(labels)}`,
        value,
      ]),
    ),
  )

const told: Readonly<Partial<Record<ReportName, readonly (readonly [string, number | undefined])[]>>> = {
  passing: [
    ['quotaspec_run_outcome{"outcome":"pass"}', 1],
    ['quotaspec_inventory_restored{}', 1],
  ],
  failing: [
    ['quotaspec_run_outcome{"outcome":"pass"}', 0],
    ['quotaspec_run_outcome{"outcome":"fail"}', 1],
    ['quotaspec_run_duration_seconds{}', 41.2],
    ['quotaspec_clauses{"level":"must","verdict":"fail"}', 2],
    ['quotaspec_clause_failed{"clause":"QUOTA-1","level":"must","waived":"false"}', 1],
    ['quotaspec_clause_failed{"clause":"INV-7","level":"must","waived":"false"}', undefined],
    ['quotaspec_quota_kept{"plan":"pro","window":"minute"}', 0],
    ['quotaspec_quota_requests{"plan":"pro","window":"minute","outcome":"admitted"}', 380],
    ['quotaspec_plan_over_admitted{"plan":"pro"}', 5],
    ['quotaspec_gate_held{"gate":"overAdmitted","waived":"false"}', 0],
    ['quotaspec_load_latency_seconds{"profile":"burst","plan":"free","answer":"admitted","quantile":"0.99"}', 0.0124],
  ],
  inconclusive: [['quotaspec_quota_kept{"plan":"pro","window":"minute"}', undefined]],
  waived: [['quotaspec_clause_failed{"clause":"QUOTA-1","level":"must","waived":"true"}', 1]],
  contract: [
    ['quotaspec_run_info{"version":"0.1.0","contract":"acme"}', 1],
    ['quotaspec_quota_kept{"plan":"free (search)","window":"search"}', 0],
    ['quotaspec_inventory_restored{}', undefined],
    ['quotaspec_load_planned_requests{"profile":"burst","plan":"free","part":"2"}', 450],
  ],
}

describe.skipIf(skipped)('OpenMetrics, read by the parser of its authors', () => {
  describe.each(reportNames)('of a %s run', (name) => {
    const report = everyReport[name]

    it.each(['openmetrics', 'prometheus'] as const)('holds every figure as it is, as %s', (format) => {
      const read = readMetrics(renderOpenMetrics(report), format)
      const own = reportMetrics(report)
      expect(read.map(({ type }) => type)).toEqual(own.map(() => 'gauge'))
      expect(read.map(({ help }) => help)).toEqual(own.map(({ help }) => help))
      expect(read.map(({ samples }) => samples.map(({ labels, value }) => ({ labels, value })))).toEqual(
        own.map(({ points }) => points),
      )
    })
  })

  it('names seconds as its unit where a name ends with them', () => {
    for (const { name, unit } of readMetrics(renderOpenMetrics(failing), 'openmetrics'))
      expect(unit).toBe(name.endsWith('_seconds') ? 'seconds' : '')
  })

  it.each(Object.entries(told))('tells the figures of a %s run', (name, rows) => {
    const values = valuesOf(name as ReportName)
    expect(rows.map(([series]) => [series, values.get(series)])).toEqual(rows)
  })

  it('takes whatever a label may hold, and reads it back as it was shown', () => {
    const marks = fc.string({ unit: fc.constantFrom('\\', '"', 'n', '{', '}', ',', '=', '#', ' '), maxLength: 8 })
    const text = fc.oneof(marks, fc.string({ unit: 'binary', maxLength: 30 }))
    const anything = fc.array(text, { minLength: 40, maxLength: 80 })
    fc.assert(
      fc.property(anything, (plans) => {
        const [row] = passing.load
        const report = { ...passing, load: plans.map((plan) => ({ ...row, plan })) }
        const read = readMetrics(renderOpenMetrics(report), 'openmetrics')
        const planned = reportMetrics(report).find(({ name }) => name === 'load.planned_requests')
        expect(
          read.find(({ name }) => name === 'quotaspec_load_planned_requests')?.samples.map(({ labels }) => labels),
        ).toEqual(planned?.points.map(({ labels }) => labels))
      }),
      { numRuns: 2 },
    )
  })

  it('would be found out where it is not', () => {
    const text = renderOpenMetrics(failing)
    expect(() => readMetrics(text.replace('# EOF\n', ''), 'openmetrics')).toThrow('EOF')
    expect(() =>
      readMetrics(text.replace('duration_seconds seconds', 'duration_seconds hours'), 'openmetrics'),
    ).toThrow()
    expect(() => readMetrics(text.replace('level="must"', 'level="m"ust"'), 'openmetrics')).toThrow()
  })
})

describe('the figures of a report', () => {
  it.each(reportNames)('of a %s run have one value a series', (name) => {
    for (const { points } of reportMetrics(everyReport[name])) {
      const series = points.map(({ labels }) => JSON.stringify(labels))
      expect(new Set(series).size).toBe(series.length)
    }
  })

  it('hold no character that nobody sees', () => {
    for (const { points } of reportMetrics(attacking))
      for (const { labels } of points) expect(Object.values(labels).join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })
})
