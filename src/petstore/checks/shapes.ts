import { type Advice, defineCheck, type Promised } from '../../checks/framework/check.js'
import { casesSeen, expectStatus, failedControl, type Spread } from '../../checks/framework/judge-cases.js'
import type { Kinds } from '../../checks/framework/needs.js'
import type { ProbeId, StepOf } from '../../contract/probe-catalogue.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Answered } from '../../evidence/exchange.js'

type Row<P extends ProbeId> = Pick<Promised, 'id' | 'promise' | 'clauses'> & {
  /** The probe that asks, and the step that is looked at. */
  readonly asks: readonly [P, StepOf<P>]
}

interface StatusRow<P extends ProbeId> extends Row<P> {
  readonly advice: Advice
  /** The only status that is right. */
  readonly due: number
  readonly cases: string
  readonly kinds?: Kinds | ((evidence: Evidence) => Kinds)
  readonly kindOf?: Spread<Answered>['kindOf']
  /** Whether the probe has a control, which differs from the cases in one thing only and has to be accepted. */
  readonly controlled?: true
}

/** A check that compares the status of each answer to a step with the only one that is right. */
export const statusCheck = <P extends ProbeId>({
  asks: [probe, step],
  due,
  cases,
  kinds,
  kindOf,
  controlled,
  ...row
}: StatusRow<P>) =>
  defineCheck({
    ...row,
    reads: [probe],
    needs: { cases },
    judge(evidence, telling) {
      const failed = controlled && failedControl(answersOf<ProbeId>(evidence, probe, 'control'))
      const spread = { kinds: typeof kinds === 'function' ? kinds(evidence) : kinds, kindOf }
      return failed ?? expectStatus(telling, answersOf(evidence, probe, step), due, spread)
    },
  })

/** A check that reports what each case of a step was answered, because the interface leaves it open. */
export const openCheck = <P extends ProbeId>({ asks: [probe, step], ...row }: Row<P>) =>
  defineCheck({
    ...row,
    level: 'observe',
    reads: [probe],
    judge: (evidence) => casesSeen(answersOf(evidence, probe, step)),
  })
