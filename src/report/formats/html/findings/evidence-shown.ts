import type { Report, WitnessRow } from '../../../model.js'
import type { Html } from '../tag.js'
import { exchangeView, type Named } from './exchange-view.js'

/** Characters of markup that all exchanges together may take; the saved run holds the rest. */
const evidenceBudget = 600_000

/** The exchanges of the report, each of which is shown in full only once, and all within one budget. */
export interface FindingEvidence {
  readonly byId: ReadonlyMap<string, WitnessRow>
  readonly shown: Set<string>
  budget: number
}

/** The exchanges of a report, none of them shown yet. */
export const evidenceOf = (report: Report): FindingEvidence => ({
  byId: new Map(report.exchanges.map((x) => [x.id, x])),
  shown: new Set(),
  budget: evidenceBudget,
})

/** The exchange in full, with the command that sends it again unless that shows nothing, where the budget still has room for it. */
export const shownInFull = (
  x: WitnessRow,
  named: Named | null,
  open: boolean,
  evidence: FindingEvidence,
  hasCommand = true,
): Html | null => {
  const view = exchangeView(x, named, open, hasCommand)
  if (view.markup.length > evidence.budget) return null
  evidence.budget -= view.markup.length
  evidence.shown.add(x.id)
  return view
}
