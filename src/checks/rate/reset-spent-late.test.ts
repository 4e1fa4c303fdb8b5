import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence, wallStartMs } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { quotaView } from '../../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { resetHonest } from './reset-honest.js'

const windowMs = 12_000
const limit = 40

const quotaOf = (id: string, most: number, lengthMs: number) =>
  madeQuota({ id, limit: { free: most }, windowMs: lengthMs, models: [...modelNames] })
const long = quotaOf('long', limit, windowMs)
const short = quotaOf('short', 10, 2_000)

interface Decision {
  readonly admitted: boolean
  readonly remaining: number
  /** The time until everything, or the first of it, is back. */
  readonly leftMs: number
}
type Limiter = (atMs: number) => Decision

/** Windows by the wall clock, which the run's start does not begin. */
const fixed = (): Limiter => {
  const used = new Map<number, number>()
  return (atMs) => {
    const window = Math.floor((wallStartMs + atMs) / windowMs)
    const before = used.get(window) ?? 0
    const admitted = before < limit
    if (admitted) used.set(window, before + 1)
    const leftMs = (window + 1) * windowMs - wallStartMs - atMs
    return { admitted, remaining: limit - (used.get(window) ?? 0), leftMs }
  }
}

/** A bucket whose Reset is the time until it is full. */
const bucket = (): Limiter => {
  let [tokens, lastMs] = [limit, 0]
  return (atMs) => {
    tokens = Math.min(limit, tokens + ((atMs - lastMs) * limit) / windowMs)
    lastMs = atMs
    const admitted = tokens >= 1
    if (admitted) tokens -= 1
    return { admitted, remaining: Math.floor(tokens), leftMs: ((limit - tokens) * windowMs) / limit }
  }
}

interface Target {
  readonly limiter?: () => Limiter
  /** What is shown of the time that is left, in seconds. */
  readonly shown?: (leftMs: number, admitted: boolean) => number
  readonly everyMs?: number
  /** How long after the refusal the quota is asked for again. */
  readonly returnsAfter?: (leftMs: number) => number
  readonly beside?: readonly ReturnType<typeof quotaOf>[]
}

const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000)
const asTold = (ms: number): number => wholeSeconds(ms) * 1000 + 20
const halved = (ms: number): number => wholeSeconds(ms / 2)

/** Three times the quota is spent in pace from somewhere in a window, until it refuses; one request comes after the wait. */
const seen = ({
  limiter = fixed,
  shown = wholeSeconds,
  everyMs = 222,
  returnsAfter = asTold,
  beside = [short],
}: Target) => {
  const decide = limiter()
  const answer = (atMs: number) => {
    const { admitted, remaining, leftMs } = decide(atMs + 1)
    const seconds = shown(leftMs, admitted)
    return { admitted, remaining, seconds, leftMs }
  }
  // What is shown of the other quota clears it of the refusals.
  const fieldsOf = ({ remaining, seconds }: { readonly remaining: number; readonly seconds: number }) => ({
    'RateLimit-Policy': [
      '"long";q=40;w=12',
      ...beside.map(({ id, limit: most, windowMs: w }) => `"${id}";q=${most.free};w=${w / 1000}`),
    ].join(', '),
    RateLimit: [`"long";r=${remaining};t=${seconds}`, ...beside.map(({ id }) => `"${id}";r=5;t=1`)].join(', '),
  })
  const load = (id: string, fromMs: number) => {
    const rows: MadeRow[] = []
    for (let sentMs = fromMs; ; sentMs += everyMs) {
      const answered = answer(sentMs)
      const { admitted, remaining, seconds, leftMs } = answered
      const shownHere = { limit, remaining, reset: seconds, flags: ['resetFromNow'] as const }
      rows.push({ sentMs, status: admitted ? 200 : 429, ...shownHere })
      if (admitted) continue
      const body = { encoding: 'utf8', content: '', bytes: 0, truncated: false } as const
      const headers = Object.entries(fieldsOf(answered))
      const samples = [{ row: rows.length - 1, status: 429, reason: 'refused', headers, body }]
      const head = { id, probe: 'burst', key: 'free', operation: 'items', quota: 'long', samples }
      return { againMs: sentMs + returnsAfter(leftMs), ledger: madeLedger(rows, head) }
    }
  }
  const single = (id: string, sentAt: number) => {
    const answered = answer(sentAt)
    const given = { id, probe: 'burst', sentAt, status: answered.admitted ? 200 : 429, headers: fieldsOf(answered) }
    return { ...madeExchange({ ...given, credential: 'agreed' }), operation: 'items' }
  }
  const [ledgers, exchanges] = [[], []] as [ReturnType<typeof madeLedger>[], ReturnType<typeof single>[]]
  for (const [i, phaseMs] of [6_640, 300, 7_964].entries()) {
    const fromMs = i * 4 * windowMs + phaseMs
    const { againMs, ledger } = load(`load-${i}`, fromMs)
    ledgers.push(ledger)
    exchanges.push(single(`x${i}`, againMs))
  }
  const contract = madeContract(dialects.draft11, {
    quotas: [long, ...beside],
    refusals: [{ is: 'quota', status: [429], when: {} }],
  })
  const keys = [{ name: 'free', plan: 'free', quota: { limit: limit, longer: 1 } }]
  return { ...madeEvidence([], { run: { contract, keys } }), ledgers, exchanges }
}

it.each<[string, Target, string, string]>([
  ['what a shorter quota lets spend only late tells in its last seconds', {}, 'pass', 'told'],
  ['without a shorter one they are too few of a window', { beside: [] }, 'inconclusive', 'not-told'],
  ['nor do they tell with a longer one', { beside: [quotaOf('hour', 900, 3_600_000)] }, 'inconclusive', 'not-told'],
  [
    'less than whole seconds tell is no case',
    { everyMs: 250, returnsAfter: (ms) => ms + 20, beside: [quotaOf('short', 8, 2_000)] },
    'inconclusive',
    'not-told',
  ],
  [
    'who comes back too late for whole seconds to tell is none either',
    { returnsAfter: () => 4_000 },
    'inconclusive',
    'not-told',
  ],
  [
    'a second by which it may have been rounded is no breach',
    { shown: (ms) => Math.max(0, wholeSeconds(ms) - 3) },
    'inconclusive',
    'not-told',
  ],
  ['half of what is left shows in a refusal when it had passed', { shown: halved }, 'fail', 'refused-with-room'],
  [
    'half of it on refusals alone is not seen, and not taken for honest',
    { shown: (ms, admitted) => (admitted ? wholeSeconds(ms) : halved(ms)) },
    'inconclusive',
    'defect-may-hide',
  ],
  [
    'seconds that are rounded down are no breach',
    { shown: (ms) => Math.floor(ms / 1000) },
    'inconclusive',
    'defect-may-hide',
  ],
  ['two seconds too late are none either', { shown: (ms) => wholeSeconds(ms) + 2 }, 'pass', 'told'],
  [
    'a bucket that names when half of it is back keeps it',
    { limiter: bucket, shown: halved, everyMs: 150 },
    'inconclusive',
    'defect-may-hide',
  ],
])('%s', (_name, target, verdict, code) => {
  const finding = resetHonest.judge(quotaView(seen(target), 'long'))
  expect([finding.verdict, finding.code]).toEqual([verdict, code])
})
