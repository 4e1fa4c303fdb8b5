import type { Check } from '../checks/law/check.js'
import type { Evidence } from '../evidence/evidence.js'
import { findProbe } from '../probes/all.js'
import type { CheckResult } from '../runner/judging/judge-checks.js'
import type { ScheduledProbe } from '../runner/plan/budget.js'
import { neededProbes } from '../runner/plan/needed-probes.js'
import { joinedPlan, planSection } from '../runner/plan/planning.js'
import { sectionsOf } from '../runner/plan/sections.js'

/** The probes by which the witnesses of a finding were asked for. */
const witnessProbes = ({ exchanges, ledgers }: Evidence, { finding }: CheckResult<Check>): string[] =>
  finding.witnesses.flatMap((witness) =>
    'id' in witness
      ? exchanges.filter(({ id }) => id === witness.id).map(({ probe }) => probe)
      : ledgers.filter(({ head }) => head.id === witness.ledger).map(({ head }) => head.probe),
  )

/** The report of the whole run stays where it is: a check that is played alone has a folder of its own. */
const folderOf = ({ id }: Check): string => `reports/only/${id.replace(/[^\w.-]/g, '-')}`

/** What these probes of the run take by their plan, without what is played again; nothing where an older run had others. */
const plannedMs = ({ run }: Evidence, ids: ReadonlySet<string>): { readonly commandMs?: number } => {
  const wanted = run.probes.filter(({ probe }) => ids.has(probe))
  const scheduled = wanted.flatMap(({ probe: id, settings, quota }): ScheduledProbe[] => {
    const probe = findProbe(id)
    const read = probe?.settings.safeParse(settings)
    return probe && read?.success ? [{ probe, settings: read.data, quota }] : []
  })
  if (run.keys.length === 0 || scheduled.length < wanted.length) return {}
  const plan = joinedPlan(sectionsOf(run, scheduled).map((section) => planSection(section)))
  return { commandMs: plan.durationMs }
}

/**
 * The command that plays a check alone, and about how long that takes. What a breach was seen by is played too, also where the check could do without:
 * it is to be seen again.
 */
export const aloneCommand = (
  evidence: Evidence,
  result: CheckResult<Check>,
): { readonly command: string; readonly commandMs?: number } => {
  const { check, finding } = result
  const played = [...new Set(evidence.run.probes.map(({ probe }) => probe))]
  const needed = neededProbes(played, { only: [check.id], skip: [] }, [check])
  const seenBy = finding.verdict === 'fail' ? new Set(witnessProbes(evidence, result)) : new Set()
  const besides = played.filter((probe) => seenBy.has(probe) && !needed.includes(probe))
  const command = evidence.run.command.replace(/ --(?:only|with) \S+/g, '')
  const alone = [`--only ${check.id}`, ...besides.map((probe) => `--with ${probe}`), `--out ${folderOf(check)}`]
  return { command: [command, ...alone].join(' '), ...plannedMs(evidence, new Set([...needed, ...besides])) }
}
