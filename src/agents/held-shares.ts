import { whyOf } from '../kit/usage-error.js'
import type { MembershipSetup } from './agent-setup.js'
import { mostInASecond, refusalOf } from './allowance.js'
import { type Offset, offsetTrack } from './clocks.js'
import {
  type ClockReading,
  coordinatorSilentMs,
  type Share,
  share as shareSchema,
  type ToAgent,
  type ToCoordinator,
} from './messages.js'
import { BegunShare, playShare } from './play-share.js'
import type { Chunk } from './rows.js'
import type { SlotJournal, SlotMarks } from './slot-journal.js'

/** What the shares of a run need of the agent's part in it. */
interface ShareGround {
  readonly setup: MembershipSetup
  readonly say: (message: ToCoordinator, bytes?: Uint8Array) => void
  readonly readings: readonly ClockReading[]
  /** Reads the coordinator's clock once more. */
  readonly readClock: () => Promise<void>
  /** When the coordinator was last heard. */
  readonly heardMs: () => number
}

/** The shares that an agent has in a run: those that it plays or has played, and those that it refused. */
export class HeldShares {
  readonly #begun = new Map<string, BegunShare>()
  readonly #refused = new Map<string, { readonly why: string; readonly isMarked: boolean }>()
  readonly #plays = new Set<Promise<void>>()
  #sent = 0

  constructor(readonly ground: ShareGround) {}

  /** Requests that went out in this run. */
  get sent(): number {
    return this.#sent
  }

  /** Takes what came from the queue. Resolves when it was played, or refused. */
  take(given: unknown): Promise<void> {
    const playing = this.#play(given).finally(() => this.#plays.delete(playing))
    this.#plays.add(playing)
    return playing
  }

  stop(share: string, inOrder: boolean): void {
    const begun = this.#begun.get(share)
    if (!begun) {
      // It may still be on its way: it is not begun any more.
      this.#refused.set(share, { why: 'it was called off before it began', isMarked: false })
      return
    }
    begun.inOrder = inOrder
    begun.stop.abort()
  }

  stopAll(): void {
    for (const { stop } of this.#begun.values()) stop.abort()
  }

  /** Tells again what has come of a share. */
  tellAgain({ share, chunks }: Extract<ToAgent, { type: 'again' }>): void {
    const { say, setup } = this.ground
    const from = setup.instance
    const begun = this.#begun.get(share)
    if (!begun) {
      const refused = this.#refused.get(share)
      if (refused) say({ type: 'refused', from, share, ...refused })
      return
    }
    say({ type: 'began', from, share })
    this.#sayChunks(
      share,
      chunks.flatMap((number) => begun.rows.chunk(number) ?? []),
    )
    if (begun.over) say(begun.over)
  }

  /** The coordinator has all of a share. */
  forget(share: string): void {
    this.#begun.delete(share)
    this.ground.setup.journal.forget(share)
  }

  /** Resolves when nothing is played any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#plays)
  }

  forgetAll(): void {
    for (const share of [...this.#begun.keys()]) this.forget(share)
  }

  #refuse(share: string, why: string, isMarked = false): void {
    this.#refused.set(share, { why, isMarked })
    this.ground.say({ type: 'refused', from: this.ground.setup.instance, share, why, isMarked })
  }

  async #play(given: unknown): Promise<void> {
    const parsed = shareSchema.safeParse(given)
    if (!parsed.success) {
      const named = shareSchema.pick({ id: true }).safeParse({ id: (given as { id?: unknown } | null)?.id })
      const [issue] = parsed.error.issues
      this.#refuse(named.data?.id ?? 'unnamed', `it can't be read: ${issue?.path.join('.')}: ${issue?.message}`)
      return
    }
    const share = parsed.data
    // One that comes a second time is under way, or over.
    if (this.#begun.has(share.id)) return
    const offset = this.#offset()
    const why = this.#refused.get(share.id)?.why ?? this.#whyNot(share, offset)
    if (why !== undefined || !offset) {
      this.#refuse(share.id, why ?? 'the agent does not know the time')
      return
    }
    const marks = this.#mark(share)
    if (marks) await this.#playMarked(share, marks, offset)
  }

  async #playMarked(share: Share, marks: SlotMarks, offset: Offset): Promise<void> {
    const { setup, say, readings, readClock } = this.ground
    const { promised, guard, clock, instance } = setup
    const { id, order, beginAtMs } = share
    promised.count += order.amount
    const begun = new BegunShare(share, mostInASecond(order))
    this.#begun.set(id, begun)
    say({ type: 'began', from: instance, share: id })
    setup.say(`${order.id}: ${order.amount} requests`)
    const firstReading = Math.max(0, readings.length - 1)
    const { outcome, rows } = await playShare(setup, {
      begun,
      marks,
      loads: setup.loads,
      beginAtMs: beginAtMs === null ? undefined : beginAtMs - offset.ms,
      sayChunks: (chunks) => this.#sayChunks(id, chunks),
      sending: () => {
        this.#sent += 1
        return guard?.(clock.monotonicMs()) !== true
      },
    })
    promised.count -= order.amount - rows
    begun.perSecond = 0
    await readClock()
    begun.over = {
      type: 'over',
      from: instance,
      share: id,
      chunks: begun.rows.count(),
      rows,
      readings: readings.slice(firstReading),
      outcome,
    }
    say(begun.over)
    setup.say(`${order.id}: ${rows} sent${outcome.problem === null ? '' : `; ${outcome.problem}`}`)
  }

  /** The marks of a share that nobody has begun; refuses it where somebody has, or none can be made. */
  #mark({ id, order }: Share): SlotMarks | undefined {
    let marks: ReturnType<SlotJournal['begin']>
    try {
      marks = this.ground.setup.journal.begin(id)
    } catch (error) {
      this.#refuse(id, `the agent can't mark what it sends: ${whyOf(error)}`)
      return undefined
    }
    if (!('marked' in marks)) return marks
    this.#refuse(id, `it was begun before: ${marks.marked} of its ${order.amount} slots are marked`, true)
    return undefined
  }

  #whyNot(share: Share, offset: Offset | undefined): string | undefined {
    const { setup, heardMs } = this.ground
    const { clock, run, promised, means, mayLoadNow } = setup
    if (clock.monotonicMs() - heardMs() > coordinatorSilentMs) return 'the agent hears nothing of its coordinator'
    return refusalOf(
      share,
      { ...setup, mayLoad: mayLoadNow, keys: means.keys.map(({ name }) => name) },
      {
        run,
        contract: means.contract,
        promised: promised.count,
        perSecond: [...this.#begun.values()].reduce((sum, { perSecond }) => sum + perSecond, 0),
        coordinatorMs: clock.monotonicMs() + (offset ? offset.ms - offset.errorMs : 0),
      },
    )
  }

  /** The offset of the coordinator's clock, by the last reading. */
  #offset(): Offset | undefined {
    const { setup, readings } = this.ground
    return offsetTrack(readings.slice(-1))?.(setup.clock.monotonicMs())
  }

  #sayChunks(share: string, chunks: readonly Chunk[]): void {
    const { say, setup } = this.ground
    for (const { number, crc, bytes } of chunks) say({ type: 'chunk', from: setup.instance, share, number, crc }, bytes)
  }
}
