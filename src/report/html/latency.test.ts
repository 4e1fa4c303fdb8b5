import { describe, expect, it } from 'vitest'
import type { LoadRow } from '../model.js'
import { passingReport } from '../testing/passing-report.js'
import { latency } from './plans.js'

const [burst] = passingReport.load as [LoadRow, ...LoadRow[]]
const steady: LoadRow = { ...burst, profile: 'steady' }
const compliant: LoadRow = { ...burst, profile: 'compliant-clients', behaviour: 'compliant' }
const hammering: LoadRow = { ...compliant, behaviour: 'hammering' }

const page = (...load: readonly LoadRow[]): string => {
  const view = latency({ load: [...load] }, 'free')
  return view === false ? '' : view.markup
}
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first]) => first)
const names = (text: string) => [...new Set(matches(text, /<th scope="row">([^<]*)/g))]
const quoted = (text: string) => matches(text, /<tr class="quoted">.*?<\/th><td>([^<]*)/g)

describe('the latencies of a plan', () => {
  it('are told by what each load is, numbered where there are several of a kind', () => {
    expect(names(page(steady, compliant, { ...compliant }, hammering))).toEqual([
      'An even pace just below the limit',
      'Clients that share a key and wait as told, 1 of 2',
      'Clients that share a key and wait as told, 2 of 2',
      'Clients that ignore every refusal, for comparison with those that wait',
    ])
  })

  it('are told by the profile alone in a report that does not say how clients behave', () => {
    const { behaviour: _, ...older } = hammering
    expect(names(page(older))).toEqual(['Clients that share a key and wait as told'])
  })

  it.each<[string, LoadRow, string]>([
    ['from the planned moment, which leaves out no wait', steady, 'admitted, from the planned moment'],
    ['from sending, where no moment is known', { ...steady, latencyFromPlannedMs: null }, 'admitted'],
  ])('may be quoted of the steady load, %s', (_, row, answers) => {
    const text = page(burst, row)
    expect(quoted(text)).toEqual([answers])
    expect(text).toContain(`use the row in bold (steady, ${answers})`)
  })

  it.each<[string, readonly LoadRow[]]>([
    ['no load was steady', [burst, compliant]],
    [
      'the steady load had nothing admitted',
      [
        {
          ...steady,
          latencyMs: { ...steady.latencyMs, admitted: null },
          latencyFromPlannedMs: { ...steady.latencyMs, admitted: null },
        },
      ],
    ],
  ])('may not be quoted where %s', (_, rows) => {
    const text = page(...rows)
    expect(quoted(text)).toEqual([])
    expect(text).toContain('Do not quote these rows as the latency of the API')
  })

  it('name the loads of other keys that ran beside the quoted one, and may have slowed it', () => {
    const beside: LoadRow = { ...burst, plan: 'pro', startedAt: steady.endedAt, endedAt: steady.endedAt + 1 }
    const later: LoadRow = { ...beside, profile: 'overload', startedAt: steady.endedAt + 1 }
    const alike: LoadRow = { ...steady, plan: 'business' }
    expect(page(steady, beside, later, alike)).toContain(
      ' At the same time burst on Pro ran, which may have slowed its answers.<',
    )
    expect(page(steady, later, alike, hammering)).not.toContain('Beside it ran')
  })

  it('are not there where no answer came', () => {
    const none = { admitted: null, refused: null }
    expect(page({ ...steady, latencyMs: none, latencyFromPlannedMs: null })).toBe('')
  })
})
