import { z } from 'zod'
import type { LedgerRow } from '../../evidence/ledger.js'
import { smallestOf } from '../moves/smallest-key.js'
import { defineProbe, type ProbeContext } from '../probe.js'

const connections = 20

/** A wait names whole seconds, and an answer takes its time: by more than this the moment that it names was put off. */
const roundingMs = 1_500

/** The first wait of one who was banned and told no time, in windows; each further one is half as long again. */
const firstWait = 0.25
const growth = 1.5

const mostAsked = 30

/**
 * Whether an answer is another than the limiter's: another status, or a refusal that names a later moment than those
 * before it. A limiter does not put its moment off because somebody asks; a ban does.
 */
const changeWatch = (): ((row: LedgerRow) => boolean) => {
  let promisedMs = Number.NaN
  return ({ status, receivedUs, retryAfter }) => {
    if (status === 200) promisedMs = Number.NaN
    if (status !== 429) return status !== 200
    const namedMs = receivedUs / 1000 + retryAfter * 1000
    if (namedMs > promisedMs + roundingMs) return true
    promisedMs = Number.isNaN(promisedMs) ? namedMs : Math.min(promisedMs, namedMs)
    return false
  }
}

/** Asks, waiting in between as told or ever longer, until the key is served again or the time is over. */
const askUntilLifted = async (context: ProbeContext, untilMs: number): Promise<void> => {
  let waitMs = firstWait * context.minuteMs
  for (let asked = 1; asked <= mostAsked; asked += 1) {
    const answer = await context.askOnce({ step: asked === 1 ? 'banned' : 'asked-again', operation: 'listInventory' })
    if (answer.response?.status === 200) return
    const nextAt = context.hintsOf(answer).retryAt ?? context.now() + waitMs
    waitMs *= growth
    if (nextAt > untilMs) return
    await context.waitUntil(nextAt, 'the ban to be lifted')
  }
}

/**
 * Goes on and on after a 429, on the smallest key, until the answer changes or so many were refused; then waits as
 * told until the key is served again (THROTTLE-7). Sets off a ban on purpose: only for scenarios that ask for it.
 */
export const ban = defineProbe({
  id: 'ban',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    refusals: z.int().min(10).max(100_000).default(5_000),
    /** Windows of a minute that are waited for the ban to be lifted. */
    minutes: z.number().min(1).max(1_440).default(15),
  }),
  spendsDay: true,
  cost: ({ name, quota }, { refusals, minutes }, keys) =>
    name === smallestOf(keys).name
      ? { keyed: quota.minute + refusals + mostAsked, strangers: 0, minutes: minutes + 1 }
      : { keyed: 0, strangers: 0, minutes: 0 },
  async play(context, { refusals, minutes }) {
    const { key, keys, minuteMs } = context
    if (key.name !== smallestOf(keys).name) return
    const { ledger } = await context.load({
      id: `ban-${key.name}`,
      connections,
      amount: key.quota.minute + refusals,
      stopWhen: changeWatch(),
    })
    const isChanged = ledger.head.counts.sent < ledger.head.counts.planned
    if (isChanged) await askUntilLifted(context, context.now() + minutes * minuteMs)
  },
})
