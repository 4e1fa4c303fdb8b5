import { petstore } from '../../contract/petstore/petstore.js'
import { countRows, LedgerWriter, ledgerFlags, ledgerRow } from '../../evidence/ledger.js'
import type { Clock } from '../../kit/clock.js'
import type { LoadOrder, LoadResult } from '../../wire/load/load-order.js'
import { scheduleShape } from '../../wire/load/schedule.js'
import type { AgentLoads, AgentSetup, SlotJournal } from '../agent-setup.js'

/** A slot journal in memory; marks stay, whoever reads them. */
const memoryJournal = (): SlotJournal & { readonly marks: Map<string, number> } => {
  const marks = new Map<string, number>()
  return {
    marks,
    begin(share) {
      const marked = marks.get(share)
      if (marked !== undefined) return { marked }
      marks.set(share, 0)
      return { mark: () => void marks.set(share, (marks.get(share) ?? 0) + 1), close: () => {} }
    },
    forget: (share) => void marks.delete(share),
  }
}

/** A disk that can't begin a share, or can mark only this many slots. */
export const fullDisk = (from: 'begin' | number): SlotJournal => ({
  begin() {
    if (from === 'begin') throw new Error('no space')
    let marked = 0
    return {
      mark() {
        marked += 1
        if (marked > from) throw new Error('no space')
      },
      close: () => {},
    }
  },
  forget: () => {},
})

/** What was sent to the target, in true time. */
export interface Hit {
  readonly ledger: string
  readonly atMs: number
}

/** Simulates loads: each request is counted, and answered 200 after 2 ms of the true clock. */
export const simulatedLoads = (truth: Clock, own: Clock, hits: Hit[], isDead = () => false): AgentLoads => ({
  async send(order: LoadOrder, watch): Promise<LoadResult> {
    const { amount } = order
    const ledger = new LedgerWriter(amount)
    const shape = scheduleShape(order.schedule, amount)
    const begunMs = watch.beginAtMs ?? own.monotonicMs()
    let isAborted = false
    for (let n = 0; n < amount; n += 1) {
      const dueMs = begunMs + (shape?.(n) ?? 0)
      const waitMs = dueMs - own.monotonicMs()
      if (waitMs > 0) await truth.sleep(waitMs, watch.signal).catch(() => {})
      // A dead process does nothing more.
      if (isDead()) await new Promise(() => {})
      isAborted = watch.signal.aborted
      if (isAborted) break
      const row = ledger.append(shape ? dueMs * 1000 : Number.NaN, own.monotonicMs() * 1000, 0)
      watch.onRow?.(ledgerRow(ledger.columns, row))
      // Like the real generator: a request that this ends is not sent, and has a row with an unknown outcome.
      isAborted = watch.signal.aborted
      if (isAborted) {
        ledger.columns.flags[row] |= ledgerFlags.lost
        break
      }
      hits.push({ ledger: order.id, atMs: truth.monotonicMs() })
      await truth.sleep(2)
      if (isDead()) await new Promise(() => {})
      ledger.columns.receivedUs[row] = own.monotonicMs() * 1000
      ledger.columns.status[row] = 200
      watch.onRow?.(ledgerRow(ledger.columns, row))
    }
    const rows = ledger.rows()
    return {
      ...countRows(rows, amount),
      rows,
      samples: [],
      end: isAborted ? 'aborted' : 'complete',
      problem: isAborted ? 'it was cancelled' : null,
      breaker: null,
      connectFailures: 0,
      scheduleErrorMs: null,
    }
  },
})

/** The flags of a row that was in no chunk. */
export const untoldFlags = ledgerFlags.lost | ledgerFlags.untold

/** An agent for `http://target/v1` with a free and a pro key. */
export const agentSetup = (
  part: Pick<AgentSetup, 'name' | 'wire' | 'clock' | 'loadsFor'> & Partial<AgentSetup>,
): AgentSetup => ({
  instance: `${part.name}-instance`,
  journal: memoryJournal(),
  target: 'http://target/v1',
  runsOn: 'http://target/v1',
  mayLoad: async () => true,
  meansFor: () => ({
    contract: petstore,
    keys: [
      { name: 'free', secret: 'free-secret', mark: 1 },
      { name: 'pro', secret: 'pro-secret', mark: 2 },
    ],
  }),
  once: false,
  say: () => {},
  ...part,
})
