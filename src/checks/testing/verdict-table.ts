import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { witnessText } from '../../kit/witness.js'
import type { Finding } from '../../verdict/verdict.js'
import type { Check } from '../framework/check.js'
import { passesOnNothing } from './passes-on-nothing.js'

/** Witnesses as they are printed: `x12`, or `burst-free#61`. */
type Expected<Code> = Partial<Omit<Finding, 'code' | 'witnesses'>> & {
  readonly code?: Code
  readonly witnesses?: readonly string[]
}

/** What is seen, in words; the evidence for it; and what the check has to find. */
export type VerdictRow<Code = string> = readonly [string, Evidence | readonly ExchangePart[], Expected<Code>]

const asEvidence = (seen: VerdictRow[1]): Evidence => ('exchanges' in seen ? seen : madeEvidence(seen))

/**
 * One test for each row of a check's table; one that the table is complete; and for each passing row one that it no
 * longer passes once its answers say nothing.
 */
export const verdictTable = <F extends Finding>(
  check: Check<F>,
  rows: readonly VerdictRow<NoInfer<F['code']>>[],
): void => {
  describe(check.id, () => {
    it.each(rows)('where %s', (_name, seen, expected) => {
      const finding = check.judge(asEvidence(seen))
      expect({ ...finding, witnesses: finding.witnesses.map(witnessText) }).toMatchObject(expected)
      // A saved run is reported again from JSON, which has no Infinity.
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding)
    })

    const passing = rows.filter(([, , { verdict }]) => verdict === 'pass')
    passesOnNothing(
      check,
      passing.map(([name, seen]) => [name, asEvidence(seen)] as const),
    )

    it('has in its table a row for each verdict that a target can bring about', () => {
      const verdicts = rows.map(([, , { verdict }]) => verdict)
      expect(verdicts.some((verdict) => verdict === 'fail' || verdict === 'observed')).toBe(true)
      expect(verdicts.some((verdict) => verdict === 'pass' || verdict === 'observed')).toBe(true)
    })
  })
}
