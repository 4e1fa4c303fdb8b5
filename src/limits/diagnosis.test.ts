import { describe, expect, it } from 'vitest'
import { diagnose } from './diagnosis.js'
import { judgeQuota } from './judge-quota.js'
import { defects, type SimulatedDefect } from './testing/defects.js'
import { defectiveHistory } from './testing/scenarios.js'

const otherLimits = { free: 60, pro: 300, business: 1000 }

describe('a defective limiter', () => {
  it.each(Object.keys(defects) as SimulatedDefect[])('that shows %s is refuted by every model, and named', (defect) => {
    const { history, window, companions } = defectiveHistory(defect, 1, 5)
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(diagnose(history, window, { otherLimits, companions })[0]?.id).toBe(defect)
  })
})
