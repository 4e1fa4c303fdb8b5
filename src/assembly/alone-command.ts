import type { Check } from '../checks/framework/check.js'
import type { Evidence } from '../evidence/evidence.js'
import type { CheckResult } from '../run/judging/judge.js'
import { plannedAloneMs } from '../run/plan/planning.js'
import { neededProbes } from '../run/plan/probe-registry.js'

/** The probes by which the witnesses of a finding were asked for. */
const witnessProbes = ({ exchanges, ledgers }: Evidence, { finding }: CheckResult<Check>): string[] =>
  finding.witnesses.flatMap((witness) =>
    'id' in witness
      ? exchanges.filter(({ id }) => id === witness.id).map(({ probe }) => probe)
      : ledgers.filter(({ head }) => head.id === witness.ledger).map(({ head }) => head.probe),
  )

/** The report of the whole run stays where it is: a check that is played alone has a folder of its own. */
const folderOf = ({ id }: Check): string => `reports/only/${id.replace(/[^\w.-]/g, '-')}`

/**
 * The command that plays a check alone, and how long that takes at most. What a breach was seen by is played too, also where the check could do without:
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
  const commandMs = plannedAloneMs(evidence.run, new Set([...needed, ...besides]))
  const alone = [`--only ${check.id}`, ...besides.map((probe) => `--with ${probe}`), `--out ${folderOf(check)}`]
  return { command: [command, ...alone].join(' '), ...(commandMs !== undefined && { commandMs }) }
}
