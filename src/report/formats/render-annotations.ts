import type { Report } from '../model.js'
import { brokenGates, brokenWaivers, failures, sentenceOf, undecided, warnings } from '../summary.js'
import { type Annotation, annotationLines } from './annotation-lines.js'

/** Workflow commands of GitHub Actions: an error for what fails the run, a warning for what is open or only warns. */
export const renderAnnotations = (report: Report): string => {
  const errors: Annotation[] = [
    ...failures(report).map((check) => ({
      kind: 'error' as const,
      title: `${check.clauses.join(' ')} ${sentenceOf(report, check.clauses[0] ?? '')}`.trim(),
      message: `${check.message} Repeat: ${check.command}`,
    })),
    ...brokenGates(report).map((gate) => ({
      kind: 'error' as const,
      title: `Gate ${gate.id}`,
      message: `${gate.sentence} ${gate.value}, where ${gate.limit} is the most.`,
    })),
    ...brokenWaivers(report).map((waiver) => ({
      kind: 'error' as const,
      title: `Waiver of ${waiver.id}`,
      message: waiver.sentence,
    })),
  ]
  const open: Annotation[] = [
    ...undecided(report).map((check) => ({
      kind: 'warning' as const,
      title: `${check.clauses.join(' ')} could not be checked`,
      message: check.message,
    })),
    ...warnings(report).map((check) => ({
      kind: 'warning' as const,
      title: `${check.clauses.join(' ')} ${sentenceOf(report, check.clauses[0] ?? '')}`.trim(),
      message: check.message,
    })),
  ]
  const unexplained: Annotation[] =
    report.outcome !== 'pass' && errors.length + undecided(report).length === 0
      ? [{ kind: 'error', title: 'quotaspec', message: report.headline }]
      : []
  return annotationLines([...unexplained, ...errors], open)
}
