import { clip, visible } from '../escape.js'
import { failures, gateInWords, ruleInWords, undecided, warnings } from '../findings.js'
import type { CheckRow, Report } from '../model.js'
import { brokenGates, brokenWaivers } from '../summary.js'

/** GitHub shows ten of each kind per step, and silently drops the rest. */
const mostShown = 10
const longestMessage = 1_000

/** A message that a pipeline shows with a job. */
interface Annotation {
  readonly kind: 'error' | 'warning'
  readonly title: string
  readonly message: string
}

const message = (text: string): string =>
  visible(clip(text, longestMessage)).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const line = ({ kind, title, message: text }: Annotation): string =>
  `::${kind} title=${message(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${message(text)}`

const capped = (annotations: readonly Annotation[]): readonly Annotation[] => {
  if (annotations.length <= mostShown) return annotations
  const [{ kind }] = annotations
  const left = annotations.length - mostShown + 1
  return [
    ...annotations.slice(0, mostShown - 1),
    { kind, title: 'quotaspec', message: `and ${left} more: see the report` },
  ]
}

/**
 * Workflow commands of GitHub Actions: errors first, then what is open or only warns. A job that does not pass but has no
 * errors shows the headline as one: if a run ended at once, every rule is open and names no cause.
 */
export const annotationLines = (
  { outcome, headline }: Pick<Report, 'outcome' | 'headline'>,
  title: string,
  errors: readonly Annotation[],
  open: readonly Annotation[],
): string => {
  const all = outcome !== 'pass' && errors.length === 0 ? [error(title, headline)] : errors
  return [...capped(all), ...capped(open)].map((each) => `${line(each)}\n`).join('')
}

export const error = (title: string, message: string): Annotation => ({ kind: 'error', title, message })
export const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message })

/** Workflow commands of GitHub Actions: an error for what fails the run, a warning for what is open or only warns. */
export const renderAnnotations = (report: Report): string => {
  const titleOf = ({ clauses }: CheckRow) => `${clauses.join(' ')} ${ruleInWords(report, clauses[0] ?? '')}`.trim()
  const errors = [
    ...failures(report).map((check) =>
      error(titleOf(check), `${check.message.replace(/\.?$/, '.')} Repeat: ${check.command}`),
    ),
    ...brokenGates(report).map((gate) => error(`Gate ${gate.id}`, gateInWords(gate))),
    ...brokenWaivers(report).map(({ id, sentence }) => error(`Waiver of ${id}`, sentence)),
  ]
  const open = [
    ...undecided(report).map(({ clauses, message }) => warning(`${clauses.join(' ')} could not be checked`, message)),
    ...warnings(report).map((check) => warning(titleOf(check), check.message)),
  ]
  return annotationLines(report, 'quotaspec', errors, open)
}
