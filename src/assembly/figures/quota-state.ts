import { isTested } from '../../checks/framework/judged-clause.js'
import { doubtInWords, obstacleInWords } from '../../checks/framework/reasons-in-words.js'
import { isLoadProfile, loadProfiles } from '../../checks/readings/load-profiles.js'
import { isLoaded, noRoomFor, noRoomInWords } from '../../checks/readings/room-in-day.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import type { QuotaRow } from '../../report/model.js'

type QuotaState = Pick<QuotaRow, 'verdict' | 'reason'>

/** Whether the run had to put a load on the key: the scenario has one, and it is the first key of its plan. */
const wasToBeLoaded = ({ run }: Evidence, { name, plan }: JudgedKey): boolean =>
  run.keys.find((each) => each.plan === plan)?.name === name && run.probes.some(({ probe }) => isLoadProfile(probe))

/** Why no load tested the limit of a key: its day had no room, or the profiles did not end. */
const untested = (evidence: Evidence, { name, judgement }: JudgedKey): QuotaState => {
  const lacking = noRoomFor(evidence, loadProfiles, { key: name, cut: true })
  if (lacking) return { verdict: 'inconclusive', reason: noRoomInWords(lacking) }
  if (judgement?.verdict === 'inconclusive' && isLoaded(evidence, name))
    return { verdict: 'inconclusive', reason: doubtInWords[judgement.reason] }
  const ends = evidence.probes.filter(({ probe, key }) => isLoadProfile(probe) && (key ?? name) === name)
  const open = ends.find(({ end }) => end === 'failed' || end === 'interrupted')
  const skipped = ends.find(({ end }) => end === 'skipped')
  if (skipped && !open) return { verdict: 'not-tested', reason: obstacleInWords(skipped.reason) }
  return { verdict: 'inconclusive', reason: `no load was put on it: ${obstacleInWords(open?.reason ?? 'not played')}` }
}

/**
 * The verdict on a plan's minute, with the reason where it is open; undefined where the scenario has no load for the
 * key. A plan without a load never passes, for single requests do not test its limit.
 */
export const quotaState = (evidence: Evidence, key: JudgedKey): QuotaState | undefined => {
  const { judgement } = key
  if (judgement?.verdict === 'fail') return { verdict: 'fail' }
  if (wasToBeLoaded(evidence, key) && !isTested(evidence, key)) return untested(evidence, key)
  if (!judgement) return undefined
  if (judgement.verdict === 'pass') return { verdict: 'pass' }
  return { verdict: 'inconclusive', reason: doubtInWords[judgement.reason] }
}
