import { describe, expect, it } from 'vitest'
import { judgeQuota } from '../judge-quota.js'
import { defects, type SimulatedDefect } from '../testing/defects.js'
import { defectiveHistory } from '../testing/scenarios.js'
import { diagnose } from './diagnosis.js'

const otherLimits = { free: 60, pro: 300, business: 1000 }

describe('a defective limiter', () => {
  it.each(Object.keys(defects) as SimulatedDefect[])('that shows %s is refuted by every model, and named', (defect) => {
    const { history, window, companions } = defectiveHistory(defect, 1, 5)
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(diagnose(history, window, { otherLimits, companions })[0]?.id).toBe(defect)
  })

  // By turns a bucket, a log and clocked windows, of 12 to 95 % of the length that was said.
  it.each([1000, 1005, 1008, 1009, 1012, 1013, 1015])(
    'is named by its shorter window, however odd its length (seed %i)',
    (seed) => {
      const { history, window } = defectiveHistory('window-shorter', 1, seed)
      expect(diagnose(history, window, { otherLimits })[0]?.id).toBe('window-shorter')
    },
  )

  it.each([1000, 1005])('is named by its nodes on a slow network too (seed %i)', (seed) => {
    const { history, window } = defectiveHistory('nodes-count-alone', 100, seed)
    expect(diagnose(history, window, { otherLimits })[0]?.id).toBe('nodes-count-alone')
  })
})
