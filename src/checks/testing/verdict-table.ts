import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import type { Check } from '../check.js'

type Expected = Partial<Omit<Finding, 'code'>> & { readonly code?: FindingCode }

/** What is seen, as a clause of a sentence; the evidence for it; and what the check has to find. */
export type VerdictRow = readonly [string, Evidence | readonly ExchangePart[], Expected]

/** One test for each row of a check's table, and one that the check is named and placed as all are. */
export const verdictTable = (check: Check, rows: readonly VerdictRow[]): void => {
  describe(check.id, () => {
    it.each(rows)('where %s', (_name, seen, expected) => {
      const evidence = 'exchanges' in seen ? seen : madeEvidence(seen)
      const finding = check.judge(evidence)
      expect(finding).toMatchObject(expected)
      // A saved run is told again from JSON, which knows no Infinity.
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding)
    })

    it('has in its table a row for each verdict that a target can bring about', () => {
      const verdicts = rows.map(([, , { verdict }]) => verdict)
      expect(verdicts.some((verdict) => verdict === 'fail' || verdict === 'observed')).toBe(true)
      expect(verdicts.some((verdict) => verdict === 'pass' || verdict === 'observed')).toBe(true)
    })
  })
}
