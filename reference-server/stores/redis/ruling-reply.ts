import type { Ruling, WindowState } from '../../metering/ruling.js'
import type { Charge } from '../shared-store.js'

/** What the script answered: a ruling, or that it was asked too late and has counted nothing. */
export type Reply =
  | { readonly kind: 'ruled'; readonly ruling: Ruling; readonly nowMs: number }
  | { readonly kind: 'late'; readonly nowMs: number }

const outcomes = ['admitted', 'refused', 'banned'] as const

/** How many numbers the script writes for each window. */
const perWindow = 3

/** Reads the script's text: the outcome, the wait, the moment, and for each window what is left, its Reset, who refused. */
export const rulingReply = (text: string, charges: readonly Charge[]): Reply => {
  const [said, ...written] = text.split(' ')
  const [retryAfterMs, nowMs, ...states] = written.map(Number)
  if (said === 'late') return { kind: 'late', nowMs }
  const outcome = outcomes.find((each) => each === said)
  const windows = charges
    .flatMap(({ subject }) => subject.windows)
    .map((window, index): WindowState => {
      const [remaining, resetMs, refused] = states.slice(index * perWindow, (index + 1) * perWindow)
      return { window, remaining, resetMs, refused: refused === 1 }
    })
  if (outcome === undefined || states.length !== windows.length * perWindow)
    throw new Error(`the script answered what it never should: ${text}`)
  return { kind: 'ruled', nowMs, ruling: { outcome, windows, retryAfterMs, decidedAtMs: nowMs } }
}
