import type { Audit } from '../../evidence/arrivals.js'
import type { ClientReport } from './model.js'

/** What was typed, for those cases alone. */
const onlyCases = (command: string, cases: readonly string[]): string => {
  const [typed, ...client] = command.split(' -- ')
  const [program, ...flags] = typed.replace(/ --case \S+/g, '').split(/(?<=^quotaspec client)/)
  const words = `${program}${cases.map((id) => ` --case ${id}`).join('')}${flags.join('')}`
  return [words, ...client].join(' -- ')
}

/**
 * The audit that tells, on a quiet machine, whether what the machine left open stands: of the cases in which it did, or
 * of all where a point is of no one case; and how long their plays took, in ms. Null where nothing is open for that.
 */
export const quickRetry = (
  { head, plays, endedAt }: Audit,
  reasons: ClientReport['grade']['reasons'],
): ClientReport['retry'] => {
  const open = reasons.filter(({ stalledMs }) => stalledMs !== null)
  if (open.length === 0) return null
  const cases = [...new Set(open.flatMap((each) => each.case ?? []))]
  if (open.some((each) => each.case === null)) return { command: head.command, tookMs: Math.round(endedAt) }
  const took = plays.filter((play) => cases.includes(play.case)).map((play) => play.endedAt - play.startedAt)
  return { command: onlyCases(head.command, cases), tookMs: Math.round(Math.max(...took)) }
}
