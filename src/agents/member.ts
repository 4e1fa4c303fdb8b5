import type { Card, ClockReading } from './messages.js'

/** An agent that takes part in the run, as the coordinator knows it. */
export interface Member {
  readonly card: Card
  /** What it was asked for as. */
  readonly group: string
  readonly readings: ClockReading[]
  /** When it was last heard, on the coordinator's clock. */
  heardMs: number
  /** Requests that it has sent in this run, as it says. */
  sent: number
  /** Why it takes no part any more; undefined while it does. */
  lost?: string
}

/** Whether an agent can be asked. */
export const isThere = ({ lost }: Member): boolean => lost === undefined
