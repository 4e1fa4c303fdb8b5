import { type Annotation, annotationLines } from '../../report/formats/annotations.js'
import { breaksRun } from '../../report/wording/summary.js'
import type { ClientReport } from './model.js'

type Clause = ClientReport['clauses'][number]

/** An audit as workflow commands of GitHub Actions: an error for what fails it, a warning for what is open or only warns. */
export const renderClientAnnotations = (report: ClientReport): string => {
  const broken = report.clauses.filter(({ verdict }) => verdict === 'fail')
  const open = report.clauses.filter(({ verdict }) => verdict === 'inconclusive')
  const told =
    (kind: Annotation['kind']) =>
    ({ id, sentence, reason }: Clause): Annotation => ({ kind, title: `${id} ${sentence}`, message: reason })
  const errors = broken.filter(({ level }) => breaksRun(report, level)).map(told('error'))
  const warnings = broken.filter(({ level }) => !breaksRun(report, level)).map(told('warning'))
  const undecided = open.map(
    ({ id, reason }): Annotation => ({ kind: 'warning', title: `${id} could not be checked`, message: reason }),
  )
  // A grade below the one that was asked for, or nothing to grade: the headline alone says why.
  const unexplained: Annotation[] =
    report.outcome !== 'pass' && errors.length === 0
      ? [{ kind: 'error', title: 'quotaspec client', message: report.headline }]
      : []
  return annotationLines([...unexplained, ...errors], [...undecided, ...warnings])
}
