import { describe, expect, it } from 'vitest'
import {
  countingOnAllKeys,
  excludedInWords,
  familiesByKey,
  hidingInWords,
  measuredInWords,
  openInWords,
} from './certificate.js'
import type { CertificateRow, Report } from './model.js'
import { passingReport } from './testing/passing-report.js'

const [free, pro] = passingReport.quotas

const measuring = (measured: CertificateRow['measured'], change: Partial<CertificateRow> = {}): Report => ({
  ...passingReport,
  certificates: [{ ...passingReport.certificates[0], measured, ...change }],
})

const limitOf = (limit: CertificateRow['measured']['limit'], change?: Partial<CertificateRow>) =>
  measuredInWords(measuring({ limit, windowMs: null }, { excluded: [], ...change }), free)

const windowOf = (windowMs: CertificateRow['measured']['windowMs']) =>
  measuredInWords(measuring({ limit: [null, null], windowMs }, { excluded: [] }), free)

describe('the reading of a plan', () => {
  it('says what was measured and excluded', () => {
    expect(measuredInWords(passingReport, free)).toBe(
      'limit 60 (59 and 61 excluded) · window 5.96 to 6.03 s · refusals do not count · one count for all operations and nodes · fewer than 1 count in 40 lost',
    )
  })

  it('says of a plan what another one excluded of the limiter that serves both, and of itself alone what is its own', () => {
    expect(measuredInWords(passingReport, pro)).toContain('one count for all operations and nodes')
    expect(measuredInWords(passingReport, pro)).toContain('1 count in 200 lost')
    expect(measuredInWords(passingReport, free)).not.toContain('200')
  })

  it.each([
    [[60, 60], 'limit 60 (59 and 61 excluded)'],
    [[60, null], 'limit at least 60 (59 excluded)'],
    [[null, 60], 'limit at most 60 (61 excluded)'],
    [[58, 62], 'limit 58 to 62 (57 and 63 excluded)'],
    [[1, 1], 'limit 1 (2 excluded)'],
    [[null, null], undefined],
  ] as const)('reads limits %j as %s', (limit, said) => {
    expect(limitOf([...limit])).toBe(said)
  })

  it('calls the limit of a bucket what it holds', () => {
    const report = measuring({ limit: [40, 40], windowMs: null }, { excluded: [] })
    expect(measuredInWords(report, { ...free, bucket: { refill: 2, everyMs: 1000 } })).toBe(
      'bucket 40 (39 and 41 excluded)',
    )
  })

  it.each([
    [[59_600, 60_300], 'window 59.6 to 60.3 s'],
    [[5_880, 6_090], 'window 5.88 to 6.09 s'],
    [[995, 1_005], 'window 0.995 to 1.005 s'],
    [[100, 102], 'window 100.0 to 102.0 ms'],
    [[3_580_000, 3_620_000], 'window 59.7 to 60.3 min'],
    [[85_900_000, 86_800_000], 'window 23.9 to 24.1 h'],
    [[null, 60_300], 'window at most 60.3 s'],
    [[59_600, null], 'window at least 59.6 s'],
    [[null, null], undefined],
    [null, undefined],
  ] as const)('reads lengths %j as %s', (windowMs, said) => {
    expect(windowOf(windowMs === null ? null : [...windowMs])).toBe(said)
  })

  it('does not tell a loss that is excluded where a larger one is open', () => {
    const excluded = passingReport.certificates[0].excluded.filter(({ defect }) => defect !== 'lost-1-in-10')
    expect(limitOf([60, 60], { excluded })).not.toContain('lost')
  })

  it('has none without a certificate', () => {
    expect(measuredInWords({ certificates: [], clauses: [], quotas: [] }, free)).toBeUndefined()
    expect(measuredInWords(passingReport, { ...free, window: 'day' })).toBeUndefined()
  })

  it('names what could still hide', () => {
    expect(openInWords(passingReport, free)).toBe('not excluded: window-1%, lost-1-in-200')
  })
})

describe('the sentence of the summary', () => {
  it('says what a green excludes on every key, and what could hide on which', () => {
    expect(excludedInWords(passingReport)).toBe(
      'This pass rules out a limit that is off by one, a window that is 2% too short or too long, 1 count in 40 lost, 2 nodes that count alone, a count for each route or refused requests that count. It does not rule out a window that is 1% too short (on any key) or 1 count in 200 lost (on Free).',
    )
  })

  it('names first what clients are likeliest to meet', () => {
    const [first, ...others] = passingReport.certificates
    const idle = { ...first.open[0], defect: 'idle-2w', words: 'a key lost in the night', demanded: false }
    const certificates = [{ ...first, open: [...first.open, idle] }, ...others]
    expect(hidingInWords({ ...passingReport, certificates })).toMatch(/^a key lost in the night \(on Free\), /)
  })

  it('says of several quotas only that none counts what it refuses itself', () => {
    const [first, ...others] = passingReport.certificates
    const beside = { ...passingReport, certificates: [first, ...others, { ...first, quota: 'five' }] }
    expect(countingOnAllKeys(beside)).toMatch(/^refusals do not count in the quota that refused · one count/)
    expect(excludedInWords(beside)).toMatch(/ or refused requests that count in the quota that refused\./)
    expect(countingOnAllKeys(passingReport)).toMatch(/^refusals do not count · one count/)
  })

  it('calls no run green that is not, and says nothing without certificates', () => {
    expect(excludedInWords({ ...passingReport, outcome: 'inconclusive' })).toMatch(/^This run rules out/)
    expect(excludedInWords({ ...passingReport, certificates: [] })).toBeUndefined()
  })
})

describe('a run that found a clause broken', () => {
  const breaking = (id: string): Report => ({
    ...passingReport,
    clauses: passingReport.clauses.map((each) => (each.id === id ? { ...each, verdict: 'fail' } : each)),
  })

  it('says of no key that the target has none of what breaks it', () => {
    const broken = breaking('QUOTA-1')
    expect(measuredInWords(broken, pro)).toBe(
      'limit 300 (299 and 301 excluded) · window 5.96 to 6.03 s · fewer than 1 count in 200 lost',
    )
    expect(countingOnAllKeys(broken)).toBeUndefined()
    expect(excludedInWords({ ...broken, outcome: 'fail' })).toMatch(/^This run rules out no defect for all keys/)
    const apart = familiesByKey(broken).find(({ title }) => title.startsWith('Nodes, routes'))
    expect(apart?.cells.map(({ excluded }) => excluded) ?? []).not.toContain(1)
  })

  it('says of no key without a certificate what only the others exclude or leave open', () => {
    const [, ofPro] = passingReport.certificates
    const told = excludedInWords({ ...passingReport, certificates: [ofPro] })
    expect(told).not.toContain('off by one')
    expect(told).toContain('a window that is 1% too short (on Pro)')
    expect(countingOnAllKeys({ ...passingReport, certificates: [ofPro] })).toBeUndefined()
  })

  it('still says what has nothing to do with it', () => {
    expect(countingOnAllKeys(breaking('RATE-4'))).toContain('one count for all operations and nodes')
  })
})

it('sorts the defects of each key into families', () => {
  const windows = familiesByKey(passingReport).find(({ title }) => title === 'A window of another length')
  expect(windows?.cells.map(({ excluded, open }) => [excluded, open.map(({ defect }) => defect)])).toEqual([
    [9, ['window-1%']],
    [9, ['window-1%']],
  ])
})
