import { z } from 'zod'

/** The probe by which a run looks at its target and its keys, before it plays anything else. */
export const firstLookProbe = 'hello'

/** Something in a run's way, or to be said, before anything but hello is played; and the exchange that shows it. */
const seen = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), exchange: z.string() })
const obstacle = z.discriminatedUnion('kind', [
  /** No key's question was answered. */
  seen('unreachable'),
  /** The same, because the target's certificate is not trusted. */
  seen('untrusted'),
  /** The operations answer below `/v1` of the address that was given. */
  seen('other-base'),
  /** There is no inventory at the address, nor below it: each key was answered 404. Said, and no reason to end. */
  seen('no-inventory'),
  /** A key that was given was answered 401. */
  seen('key-rejected'),
  /** A 5xx, which is said, and is no reason to end. */
  seen('server-error'),
  /** Loads that may not go to the target's address. */
  z.object({ kind: z.literal('load-not-allowed'), probes: z.array(z.string()) }),
])
export type Obstacle = z.infer<typeof obstacle>

/** The first look of a run at its target and its keys; with `ended` nothing else was played. */
export const firstLook = z.object({ at: z.number(), obstacles: z.array(obstacle), ended: z.boolean() })
export type FirstLook = z.infer<typeof firstLook>
