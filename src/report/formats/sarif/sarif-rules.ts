import { visible } from '../../escape.js'
import type { Report } from '../../model.js'
import { breaksRun } from '../../summary.js'

type Level = 'error' | 'warning' | 'note'

/** Something that a result may be about: a clause, a gate, a waiver, the run. */
export interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  /** Code scanning asks for these two of every rule. */
  readonly fullDescription: { readonly text: string }
  readonly help: { readonly text: string }
  readonly defaultConfiguration: { readonly level: Level }
  readonly properties: { readonly tags: readonly string[]; readonly level?: string; readonly source?: string }
}

const rule = (id: string, text: string, help: string, level: Level, tag: string): SarifRule => ({
  id: visible(id),
  shortDescription: { text: visible(text) },
  fullDescription: { text: visible(text) },
  help: { text: visible(help) },
  defaultConfiguration: { level },
  properties: { tags: ['quotaspec', visible(tag)] },
})

const levelWords = {
  must: 'The interface says so: a breach fails the run.',
  should: 'A standard or good sense says so: a breach is a warning, and fails a strict run.',
  observe: 'The interface leaves it open: what the target does is reported.',
} as const

const gateHelp = 'The scenario sets this gate on a figure that the run measures.'
const waiverHelp = 'Remove a waiver that is not needed any more; mend, or waive anew, what one that has ended was for.'
const runHelp = 'The report says what to do.'

const clauseRules = (report: Report): SarifRule[] =>
  report.clauses.map(({ id, sentence, level, area, source }) => {
    const of = level === 'observe' ? 'note' : breaksRun(report, level) ? 'error' : 'warning'
    const base = rule(id, sentence, `${levelWords[level]} Source: ${source}.`, of, area)
    return { ...base, properties: { ...base.properties, level, source: visible(source) } }
  })

/** The ids of the rules that are no clauses. */
export const ruleOfGate = (id: string): string => `gate.${id}`
export const ruleOfWaivers = 'waiver'
export const ruleOfRun = 'run'

/** A rule for each clause, each gate, and what else can fail a run; ids are unique, as the format asks. */
export const sarifRules = (report: Report): SarifRule[] => {
  const all = [
    ...clauseRules(report),
    ...report.gates.map((gate) => rule(ruleOfGate(gate.id), gate.sentence, gateHelp, 'error', 'gate')),
    rule(ruleOfWaivers, 'A waiver has not ended, and is still needed.', waiverHelp, 'error', 'waiver'),
    rule(ruleOfRun, 'The run comes to an outcome, and passes.', runHelp, 'error', 'run'),
  ]
  return [...new Map(all.map((each) => [each.id, each])).values()]
}
