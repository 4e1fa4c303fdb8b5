import type { Witness } from '../../kit/witness.js'
import type { Finding, FindingCode, FindingFacts } from '../../verdict/verdict.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    /** Every case that was looked at kept the promise. */
    held: { examined: number }
    /** There was nothing that the promise speaks of. */
    'nothing-to-judge': { wanted: string }
    /** A question was not answered: the connection failed, or a gateway stood in for the service. */
    'no-answer': { case: string; detail: string }
    /** The control, which differs from the case in one thing only, was not accepted. */
    'control-failed': { control: string; got: string }
    'unexpected-status': { case: string; expected: string; got: number }
  }
}

/** Of an exchange only its id is kept. */
const placeOf = (witness: Witness): Witness =>
  'id' in witness ? { id: witness.id } : { ledger: witness.ledger, row: witness.row }

const finding =
  (verdict: Finding['verdict']) =>
  <C extends FindingCode>(code: C, facts: FindingFacts[C], ...witnesses: readonly Witness[]): Finding<FindingCode> => ({
    verdict,
    code,
    facts: facts as Finding['facts'],
    witnesses: witnesses.map(placeOf),
  })

export const pass = finding('pass')
export const fail = finding('fail')
export const inconclusive = finding('inconclusive')
export const observed = finding('observed')
export const notTested = finding('not-tested')

/** A breach that one exchange shows; to be turned into a failure once all of them have been looked at. */
export interface Breach {
  readonly code: FindingCode
  readonly facts: Finding['facts']
}

export const breach = <C extends FindingCode>(code: C, facts: FindingFacts[C]): Breach => ({
  code,
  facts: facts as Finding['facts'],
})
