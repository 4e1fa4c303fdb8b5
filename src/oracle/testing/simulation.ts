import type { Limiter } from '../../certificate/limiters.js'
import type { Random } from '../../kit/random.js'
import type { HistoryEvent } from './made-history.js'
import type { Lane } from './traffic.js'

export interface Network {
  /** The time from sending to the answer, drawn for each request. */
  readonly roundTripMs: () => number
  /** The share of requests and answers that get lost. */
  readonly lossRate: number
  readonly random: Random
  /** What a request costs, drawn for each; 1 if absent. */
  readonly cost?: () => number
}

/** A request as the client saw it, and what it cost. */
export interface SimulatedEvent extends HistoryEvent {
  readonly cost: number
}

interface Step {
  readonly at: number
  readonly run: () => void
}

/** A queue of steps ordered by time; simultaneous steps run in the order they were added. */
class Agenda {
  private readonly heap: Step[] = []

  add(at: number, run: () => void): void {
    const { heap } = this
    const step = { at, run }
    let index = heap.length
    for (let parent = (index - 1) >> 1; index > 0 && heap[parent].at > at; parent = (index - 1) >> 1) {
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = step
  }

  play(): void {
    for (let step = this.next(); step; step = this.next()) step.run()
  }

  private next(): Step | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || last === undefined) return last
    let index = 0
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && heap[child + 1].at < heap[child].at) child++
      if (heap[child].at >= last.at) break
      heap[index] = heap[child]
      index = child
    }
    heap[index] = last
    return first
  }
}

/** A key: what it sends, and the limiter that judges it, which keys may share. */
export interface SimulatedKey {
  readonly lanes: readonly Lane[]
  readonly limiter: Limiter
  /** A second limiter that is asked first; its refusals are excused. */
  readonly before?: Limiter
}

/**
 * Plays the lanes of each key against its limiter and returns what a client sees. Requests of several connections overtake
 * one another; a lost request may never reach the limiter, or reach it long after it was sent.
 */
export const simulate = (keys: readonly SimulatedKey[], network: Network): SimulatedEvent[][] => {
  const agenda = new Agenda()
  const seen = keys.map((key) => {
    const events: SimulatedEvent[] = []
    for (const lane of key.lanes)
      agenda.add(lane.startMs, () => sendNext(agenda, key, network, events, lane, lane.startMs, 0))
    return events
  })
  agenda.play()
  return seen
}

const sendNext = (
  agenda: Agenda,
  key: SimulatedKey,
  network: Network,
  events: SimulatedEvent[],
  lane: Lane,
  sentMs: number,
  index: number,
): void => {
  const { random } = network
  const cost = network.cost?.() ?? 1
  const roundTrip = network.roundTripMs()
  const receivedMs = sentMs + roundTrip
  const lost = random.float() < network.lossRate
  const decidedAt = sentMs + roundTrip * random.float() * (lost ? 20 : 1)
  if (!lost || random.float() < 0.5) agenda.add(decidedAt, () => decide(decidedAt))
  if (lost) events.push({ sentMs, outcome: 'unknown', cost })
  if (index + 1 < lane.count) {
    const next = Math.max(receivedMs, lane.startMs + (index + 1) * lane.everyMs)
    agenda.add(next, () => sendNext(agenda, key, network, events, lane, next, index + 1))
  }
  const decide = (now: number) => {
    const { before, limiter } = key
    const excused = before !== undefined && !before.decide(now)
    const admitted = !excused && limiter.decide(now, cost)
    const outcome = excused ? 'excused' : admitted ? 'admitted' : 'refused'
    if (!lost) events.push({ sentMs, receivedMs, outcome, cost })
    if (!admitted || !limiter.commit) return
    const countedAt = now + (sentMs + roundTrip - now) * random.float()
    agenda.add(countedAt, () => limiter.commit?.(countedAt))
  }
}
