import { visible } from '../escape.js'
import type { Report } from '../model.js'
import { breaksRun } from '../summary.js'

type Level = 'error' | 'warning' | 'note'

/** Something that a result may be about: a clause, a gate, a waiver, the run. */
export interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly defaultConfiguration: { readonly level: Level }
  readonly properties: { readonly tags: readonly string[]; readonly level?: string; readonly source?: string }
}

const rule = (id: string, text: string, level: Level, tag: string): SarifRule => ({
  id: visible(id),
  shortDescription: { text: visible(text) },
  defaultConfiguration: { level },
  properties: { tags: ['quotaspec', visible(tag)] },
})

const clauseRules = (report: Report): SarifRule[] =>
  report.clauses.map(({ id, sentence, level, area, source }) => {
    const of = level === 'observe' ? 'note' : breaksRun(report, level) ? 'error' : 'warning'
    const base = rule(id, sentence, of, area)
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
    ...report.gates.map((gate) => rule(ruleOfGate(gate.id), gate.sentence, 'error', 'gate')),
    rule(ruleOfWaivers, 'A waiver has not ended, and is still needed.', 'error', 'waiver'),
    rule(ruleOfRun, 'The run comes to an outcome, and passes.', 'error', 'run'),
  ]
  return [...new Map(all.map((each) => [each.id, each])).values()]
}
