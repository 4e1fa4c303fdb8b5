import type { Evidence } from '../../evidence/evidence.js'
import { loadProfiles } from './load-profiles.js'

/** What a probe would have taken of a key's day, and what was left of it. */
type NoRoom = { readonly probe: string; readonly plan: string; readonly needed: number; readonly left: number }

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'no-room-in-day': NoRoom
  }
}

/**
 * Of the probes that a key's day had no room for, wholly or in part, the one that takes least; undefined where there is
 * none. `key`: any of them, where it is left out.
 */
export const noRoomFor = (
  { run, probes }: Pick<Evidence, 'run' | 'probes'>,
  among: readonly string[],
  key?: string,
): NoRoom | undefined => {
  const lacking = probes.flatMap(({ probe, room }) => {
    if (!room || !among.includes(probe) || (key !== undefined && room.key !== key)) return []
    const plan = run.keys.find(({ name }) => name === room.key)?.plan ?? room.key
    return [{ probe, plan, needed: room.needed, left: room.left }]
  })
  return lacking.toSorted((a, b) => a.needed - b.needed)[0]
}

/** Whether one of the profiles that put the limit of a minute to the test was played on a key, to whatever end. */
export const isLoaded = ({ ledgers }: Pick<Evidence, 'ledgers'>, key: string): boolean =>
  ledgers.some(({ head, rows }) => head.key === key && rows.length > 0 && loadProfiles.includes(head.probe))
