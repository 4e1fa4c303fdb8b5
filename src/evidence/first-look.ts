import { z } from 'zod'

/** The probe with which a run looks at its target and keys, before it plays anything else. */
export const firstLookProbe = 'hello'

/** An obstacle, or something to report, before anything but hello is played; with the exchange that shows it. */
const seen = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), exchange: z.string() })
const obstacle = z.discriminatedUnion('kind', [
  /** No key got an answer. */
  seen('unreachable'),
  /** Likewise, because the target's certificate is not trusted. */
  seen('untrusted'),
  /** The operations answer below `/v1` of the given address. */
  seen('other-base'),
  /** There is no inventory at or below the address: each key got a 404. Reported, but no reason to end. */
  seen('no-inventory'),
  /** A given key was answered 401. */
  seen('key-rejected'),
  /** A 5xx; reported, but no reason to end. */
  seen('server-error'),
  /** Loads that may not be sent to the target's address. */
  z.object({ kind: z.literal('load-not-allowed'), probes: z.array(z.string()) }),
])
export type Obstacle = z.infer<typeof obstacle>

/** A run's first look at its target and keys; with `ended` nothing else was played. */
export const firstLook = z.object({ at: z.number(), obstacles: z.array(obstacle), ended: z.boolean() })
export type FirstLook = z.infer<typeof firstLook>
