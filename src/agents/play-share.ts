import { whyOf } from '../kit/usage-error.js'
import { watchStalls } from '../wire/load/latency.js'
import type { LoadResult } from '../wire/load/load-order.js'
import type { AgentLoads, AgentSetup, SlotMarks } from './agent-setup.js'
import type { Share, ShareEnd, ToCoordinator } from './messages.js'
import { type Chunk, createRowSender } from './rows.js'

const chunkEveryMs = 1_000

/** A share that an agent has begun, kept as long as the coordinator may ask for its rows. */
export const beginShare = (share: Share) => ({
  share,
  rows: createRowSender(share.order.amount),
  stop: new AbortController(),
  /** Whether to await responses in flight when it is stopped. */
  inOrder: false,
  over: undefined as Extract<ToCoordinator, { type: 'over' }> | undefined,
})

export type BegunShare = ReturnType<typeof beginShare>

interface SharePlay {
  readonly begun: BegunShare
  readonly marks: SlotMarks
  readonly loads: AgentLoads
  /** When its schedule begins, on the agent's clock. */
  readonly beginAtMs?: number
  readonly sayChunks: (chunks: readonly Chunk[]) => void
  /** Called just before each request is sent; false if none may follow within the second. */
  readonly sending: () => boolean
}

const endOf = ({ end, problem, breaker, connectFailures, samples }: LoadResult, stoodStillMs: number): ShareEnd => ({
  end,
  problem,
  breaker,
  connectFailures,
  samples: [...samples],
  stoodStillMs,
})

/** The end of a load that could not be played: nothing was sent, or its rows say what was. */
const failed = (error: unknown): ShareEnd => ({
  end: 'aborted',
  problem: `it could not be played: ${whyOf(error)}`,
  breaker: null,
  connectFailures: 0,
  samples: [],
  stoodStillMs: 0,
})

const fellBehind = 'it fell behind, and was ended before it could exceed --most-per-second'

/** Marks the next slot; returns why if it can't. */
const problemOf = (marks: SlotMarks): string | undefined => {
  try {
    marks.mark()
    return undefined
  } catch (error) {
    return `it could not mark what it sends: ${whyOf(error)}`
  }
}

/** Plays a share, and hands its rows over as they change. Resolves to its end, and to how many rows it has. */
export const playShare = async (
  { clock }: Pick<AgentSetup, 'clock'>,
  { begun, marks, loads, beginAtMs, sayChunks, sending }: SharePlay,
): Promise<{ readonly outcome: ShareEnd; readonly rows: number }> => {
  const { share, rows, stop } = begun
  const ticking = new AbortController()
  const handOver = async () => {
    for (;;) {
      await clock.sleep(chunkEveryMs, ticking.signal)
      sayChunks(rows.flush())
    }
  }
  const handing = handOver().catch(() => {})
  const stall = watchStalls(clock)
  let sent = 0
  let problem: string | undefined
  try {
    const result = await loads.send(share.order, {
      signal: stop.signal,
      abortsInOrder: () => begun.inOrder,
      beginAtMs,
      onRow(row) {
        rows.changed(row)
        if (row.index < sent) return
        sent = row.index + 1
        // On disk before the request is sent, so that it is never sent again, whatever happens to this process. If this
        // ends the load, the request is not sent.
        problem ??= problemOf(marks) ?? (sending() ? undefined : fellBehind)
        if (problem !== undefined) stop.abort()
      },
    })
    sayChunks(rows.finish(result.rows))
    const outcome = endOf(result, stall.longestMs())
    return { outcome: problem === undefined ? outcome : { ...outcome, problem }, rows: result.rows.length }
  } catch (error) {
    sayChunks(rows.flush())
    return { outcome: failed(error), rows: sent }
  } finally {
    stall.end()
    marks.close()
    ticking.abort()
    await handing
  }
}
