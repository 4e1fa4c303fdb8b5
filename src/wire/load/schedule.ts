import { z } from 'zod'

const perSecond = z.number().positive()
const ms = z.number().min(0)

/** A schedule, from which {@link scheduleShape} makes a shape. */
export type Schedule =
  /** Evenly spaced, the first at once; with jitter each is later by up to that share of the gap, always the same. */
  | { readonly kind: 'constant'; readonly perSecond: number; readonly jitter?: number }
  | { readonly kind: 'batches'; readonly each: readonly { readonly atMs: number; readonly amount: number }[] }
  /** A group of requests at once, again and again. */
  | { readonly kind: 'groups'; readonly size: number; readonly apartMs: number }
  /** Another schedule, or none, with no two requests closer than the rate allows. */
  | { readonly kind: 'slowed'; readonly of: Schedule | null; readonly perSecond: number }
  /** Every `of`-th request of another schedule, from the `nth` on (from 0): the shares of all machines make the whole. */
  | { readonly kind: 'share'; readonly whole: Schedule | null; readonly nth: number; readonly of: number }

/** A load's schedule as data, so that it can be handed to another machine. */
export const schedule: z.ZodType<Schedule> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('constant'), perSecond, jitter: z.number().min(0).max(1).optional() }),
    z.strictObject({
      kind: z.literal('batches'),
      each: z.array(z.strictObject({ atMs: ms, amount: z.int().min(1) })).min(1),
    }),
    z.strictObject({ kind: z.literal('groups'), size: z.int().min(1), apartMs: ms }),
    z.strictObject({ kind: z.literal('slowed'), of: schedule.nullable(), perSecond }),
    z.strictObject({
      kind: z.literal('share'),
      whole: schedule.nullable(),
      nth: z.int().min(0),
      of: z.int().min(1),
    }),
  ]),
)

/** How many of `amount` requests the `nth` of `of` machines sends: for 10 over 4, it is 3, 3, 2 and 2. */
export const shareOf = (amount: number, nth: number, of: number): number => Math.max(0, Math.ceil((amount - nth) / of))

/** The shape of a schedule for `amount` requests; undefined if each is due as soon as a connection is free. */
export const scheduleShape = (given: Schedule | null | undefined, amount: number): Shape | undefined => {
  if (!given) return undefined
  switch (given.kind) {
    case 'constant':
      return constantRate(given.perSecond, given.jitter)
    case 'batches':
      return batches(given.each)
    case 'groups':
      return (n) => Math.floor(n / given.size) * given.apartMs
    case 'slowed':
      return slowed(scheduleShape(given.of, amount), amount, given.perSecond)
    case 'share': {
      const { whole, nth, of } = given
      const shape = scheduleShape(whole, amount * of)
      return shape && ((n) => shape(n * of + nth))
    }
  }
}

/** The most that a schedule sends in any second, even when catching up; undefined if it has no ceiling. */
export const scheduleCeiling = (given: Schedule | null | undefined): number | undefined => {
  if (given?.kind === 'slowed') return Math.min(given.perSecond, scheduleCeiling(given.of) ?? given.perSecond)
  if (given?.kind !== 'share') return undefined
  const whole = scheduleCeiling(given.whole)
  return whole && whole / given.of
}

/** The same order, none earlier, no two closer than the rate allows: at 10 a second, 0, 0 and 50 ms become 0, 100 and 200. */
const slowed = (shape: Shape | undefined, amount: number, perSecond: number): Shape => {
  const due = new Float64Array(amount)
  for (let n = 0; n < amount; n += 1) {
    const wished = shape ? shape(n) : 0
    due[n] = n === 0 ? wished : Math.max(wished, due[n - 1] + 1000 / perSecond)
  }
  return (n) => due[n]
}

/**
 * The shape of a load: when its n-th request (from 0) is due, in milliseconds since the load's start. It never falls with n,
 * and ignores answers: a slow target does not slow the plan. Two a second are due at 0, 500, 1000 ms and so on.
 */
export type Shape = (n: number) => number

/** A share from 0 to 1 for each number, in no visible order. */
const scattered = (n: number): number => {
  const mixed = Math.imul(n ^ (n >>> 16), 0x45d9f3b)
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8) % 65_536) / 65_536
}

/** Evenly spaced, the first at once: from less than one a minute to thousands a second. */
export const constantRate =
  (perSecond: number, jitter = 0): Shape =>
  (n) =>
    ((n + jitter * scattered(n)) * 1000) / perSecond

/** Several bursts: all requests of each are due at its `atMs`. Requests beyond the last burst are due with it. */
export const batches = (each: readonly { readonly atMs: number; readonly amount: number }[]): Shape => {
  const ends = each.map((_, index) => each.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, 0))
  return (n) => {
    const index = ends.findIndex((end) => n < end)
    return (each.at(index) ?? { atMs: 0 }).atMs
  }
}
