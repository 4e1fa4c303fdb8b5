import { noLongerLimit } from '../../contract/plans.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import type { Evidence } from '../../evidence/evidence.js'
import { placesOf } from '../../kit/numbers.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'

/** The probes whose loads test the limit of a minute: the oracle reads all of them together. */
export const loadProfiles: readonly ProbeId[] = [
  'burst',
  'other-requests',
  'split',
  'cold-start',
  'last-slot',
  'boundary',
  'steady',
  'recovery',
  'overload',
  'compliant-clients',
  'spread',
]

export const isLoadProfile = (probe: string): boolean => loadProfiles.some((each) => each === probe)

/** How many requests a probe would have taken from a key's day, and how many were left. */
type NoRoom = {
  readonly probe: string
  readonly plan: string
  readonly needed: number
  readonly left: number
  /** Set if the longer quotas of a contract bound it, instead of a day. */
  readonly ofLonger?: true
}

type PlayedOnKey = Pick<Evidence, 'run' | 'probes'>

/** The ends of probes that were made smaller or not played on a key because its day had too little room. */
const cutIn = ({ probes }: PlayedOnKey, among: readonly string[], key?: string) =>
  probes.flatMap(({ probe, room, reason }) =>
    room && among.includes(probe) && (key === undefined || room.key === key) ? [{ probe, reason, ...room }] : [],
  )

/**
 * Of the probes for which a key's day had no room, wholly or in part, the one that needs least. If all were played,
 * only smaller, and `cut` is set: the one of these that would have needed least. Undefined if there is none. Without
 * `key`: on any key.
 */
export const noRoomFor = (
  played: PlayedOnKey,
  among: readonly string[],
  { key, cut = false }: { readonly key?: string; readonly cut?: boolean } = {},
): NoRoom | undefined => {
  const all = cutIn(played, among, key).toSorted((a, b) => a.needed - b.needed)
  const found = all.find(({ reason }) => reason === 'day-too-small') ?? (cut ? all[0] : undefined)
  if (!found) return undefined
  const { plan, quota } = played.run.keys.find(({ name }) => name === found.key) ?? { plan: found.key }
  const { probe, needed, left } = found
  return { probe, plan, needed, left, ...(quota?.longer === noLongerLimit && { ofLonger: true }) }
}

/** Whether one of {@link loadProfiles} was played on a key, however it ended. */
export const isLoaded = ({ ledgers }: Pick<Evidence, 'ledgers'>, key: string): boolean =>
  ledgers.some(({ head, rows }) => head.key === key && rows.length > 0 && isLoadProfile(head.probe))

export const noRoomInWords = ({ probe, needed, left, ofLonger }: NoRoom): string =>
  ofLonger
    ? `${probe} would take ${needed} requests, and the longer quotas of the contract leave ${left}: run it again once they have reset, or use a key with larger quotas`
    : `${probe} would take ${needed} requests, and ${left} are left of the key's day: use a key with more of its day left`

/** The rows of the first burst with an admission, and of the opener before it; none if there was no such burst. */
export const burstRows = (
  { ledgers, exchanges }: Evidence,
  { name, record }: Pick<JudgedKey, 'name' | 'record'>,
): number[] => {
  const ledger = ledgers.find(
    ({ head, rows }) =>
      head.key === name && head.probe === 'burst' && rows.status.some((status) => status >= 200 && status < 300),
  )
  if (!ledger) return []
  const firstMs = ledger.rows.sentUs[0] / 1000
  const opener = exchanges.findLast((x) => x.key === name && x.step === 'opener' && x.sentAt < firstMs)
  return placesOf(record.size, (i) => {
    const witness = record.witness(i)
    return 'id' in witness ? witness.id === opener?.id : witness.ledger === ledger.head.id
  })
}
