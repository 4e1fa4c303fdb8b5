import { clip, visible } from '../escape.js'
import { failures, gateInWords, ruleInWords, undecided, warnings } from '../findings.js'
import type { CheckRow, Report } from '../model.js'
import { brokenGates, brokenWaivers } from '../summary.js'

/** GitHub shows ten of each kind a step, and drops the rest in silence. */
const mostShown = 10
const longestMessage = 1_000

/** What a pipeline shows beside a job. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

const message = (text: string): string =>
  visible(clip(text, longestMessage)).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const line = ({ kind, title, message: text }: Annotation): string =>
  `::${kind} title=${message(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${message(text)}`

const capped = (annotations: readonly Annotation[]): readonly Annotation[] => {
  if (annotations.length <= mostShown) return annotations
  const [first] = annotations
  const kind = first?.kind ?? 'notice'
  const left = annotations.length - mostShown + 1
  return [
    ...annotations.slice(0, mostShown - 1),
    { kind, title: 'quotaspec', message: `and ${left} more: see the report` },
  ]
}

/** Workflow commands of GitHub Actions: errors first, then what is open or only warns. */
export const annotationLines = (errors: readonly Annotation[], open: readonly Annotation[]): string =>
  [...capped(errors), ...capped(open)].map((each) => `${line(each)}\n`).join('')

/** Workflow commands of GitHub Actions: an error for what fails the run, a warning for what is open or only warns. */
export const renderAnnotations = (report: Report): string => {
  const ofRule =
    (kind: Annotation['kind']) =>
    ({ clauses, message, command }: CheckRow): Annotation => ({
      kind,
      title: `${clauses.join(' ')} ${ruleInWords(report, clauses[0] ?? '')}`.trim(),
      message: kind === 'error' ? `${message.replace(/\.?$/, '.')} Repeat: ${command}` : message,
    })
  const errors: Annotation[] = [
    ...failures(report).map(ofRule('error')),
    ...brokenGates(report).map((gate) => ({
      kind: 'error' as const,
      title: `Gate ${gate.id}`,
      message: gateInWords(gate),
    })),
    ...brokenWaivers(report).map(({ id, sentence: message }) => ({
      kind: 'error' as const,
      title: `Waiver of ${id}`,
      message,
    })),
  ]
  const open: Annotation[] = [
    ...undecided(report).map(({ clauses, message }) => ({
      kind: 'warning' as const,
      title: `${clauses.join(' ')} could not be checked`,
      message,
    })),
    ...warnings(report).map(ofRule('warning')),
  ]
  // A job that ends without a failure of a rule shows why: of a run that ended at once, each rule is open and names no cause.
  if (report.outcome !== 'pass' && errors.length === 0)
    errors.push({ kind: 'error', title: 'quotaspec', message: report.headline })
  return annotationLines(errors, open)
}
