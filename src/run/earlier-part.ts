import type { SavedRun } from '../evidence/journal.js'

/** What a run had done before it stopped, for the part that goes on with it (`--resume`). */
export interface EarlierPart {
  readonly saved: Pick<SavedRun, 'records' | 'ledgers'>
  /** True as often as this probe came to its end on this key (null for a probe that is played once for all keys). */
  wasPlayed(probe: string, key: string | null): boolean
  /** What the loads of a probe sent on a key, how many answers were 429, and how many of these came last in a row. */
  loaded(probe: string, key: string): { readonly sent: number; readonly refused: number; readonly refusedInRow: number }
  /** How many requests went out on a key, and when the last of them did. */
  used(key: string): { readonly sent: number; readonly lastSentAt: number }
}

const slotOf = (probe: string, key: string | null): string => `${key} ${probe}`

/** Reads what was done out of the records and ledgers of the part that stopped. */
export const earlierPart = (saved: Pick<SavedRun, 'records' | 'ledgers'>): EarlierPart => {
  const played = new Map<string, number>()
  for (const each of saved.records) {
    if (each.type !== 'probe' || each.end === 'interrupted') continue
    const slot = slotOf(each.probe, each.key)
    played.set(slot, (played.get(slot) ?? 0) + 1)
  }
  return {
    saved,
    wasPlayed(probe, key) {
      const slot = slotOf(probe, key)
      const times = played.get(slot) ?? 0
      if (times > 0) played.set(slot, times - 1)
      return times > 0
    },
    loaded(probe, key) {
      const status = saved.ledgers
        .filter(({ head, rows }) => head.probe === probe && head.key === key && rows.length > 0)
        .map(({ rows }) => rows)
        .toSorted((a, b) => a.sentUs[0] - b.sentUs[0])
        .flatMap((rows) => [...rows.status])
      return {
        sent: status.length,
        refused: status.filter((each) => each === 429).length,
        refusedInRow: status.length - 1 - status.findLastIndex((each) => each !== 429),
      }
    },
    used(key) {
      const singles = saved.records.flatMap((each) =>
        each.type === 'exchange' && each.key === key ? [each.sentAt] : [],
      )
      const loads = saved.ledgers.filter(({ head }) => head.key === key)
      const lastOfLoads = loads.flatMap(({ rows }) => (rows.length > 0 ? [rows.sentUs[rows.length - 1] / 1000] : []))
      return {
        sent: singles.length + loads.reduce((sum, { rows }) => sum + rows.length, 0),
        lastSentAt: [...singles, ...lastOfLoads].reduce((latest, at) => Math.max(latest, at), 0),
      }
    },
  }
}
