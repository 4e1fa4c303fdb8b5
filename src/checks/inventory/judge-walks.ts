import {
  shownEntry,
  strangerMove,
  type UpdateKind,
  updateKinds,
  type WalkBreach,
  type WalkClause,
  type WalkEvent,
  walkBreaches,
} from '../../contract/inventory-model.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../verdict/verdict.js'
import { isWhole, objectOf } from '../answers.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { isUpdated, quantitiesOf } from '../listed-pets.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    /** The smallest walk that shows it, as requests and statuses in order. */
    'walk-update-refused': { walk: string; got: number }
    'walk-update-misanswered': { walk: string; field: string; sent: string; shown: string }
    'walk-not-refused': { walk: string; expected: number; got: number }
    'walk-disagrees': { walk: string; petId: string; model: string; shown: string }
    'walk-refused-but-changed': { walk: string; petId: string; before: string; after: string }
    /** The draw held none of them. */
    'walk-drew-none': { wanted: string }
    /** Seen once, and not again when the same was tried again: perhaps somebody else's doing. */
    'walk-not-repeated': { walk: string; petId: string; model: string; shown: string }
  }
}

/** A walk as it was played, from the reading before it to its last one. */
interface PlayedWalk {
  readonly exchanges: readonly Exchange[]
  readonly events: readonly WalkEvent[]
}

const isKind = (step: string): step is UpdateKind => (updateKinds as readonly string[]).includes(step)

const eventOf = (x: Exchange): WalkEvent | undefined => {
  if (x.operation === 'listInventory') {
    const quantities = quantitiesOf(x)
    return quantities && { kind: 'reading', quantities }
  }
  if (!isKind(x.step)) return undefined
  const shown = isUpdated(x) && isWhole(x) ? shownEntry(objectOf(x)) : {}
  const { petId, quantity } = x.intent
  return { kind: 'update', asks: x.step, petId, quantity, status: x.response?.status, shown }
}

const played = (row: readonly Exchange[]): PlayedWalk => {
  const both = row.flatMap((x) => {
    const event = eventOf(x)
    return event ? [{ x, event }] : []
  })
  return { exchanges: both.map(({ x }) => x), events: both.map(({ event }) => event) }
}

/** The walks of a run, each closed by the reading at its end; one that was interrupted is left as far as it came. */
const walksOf = (row: readonly Exchange[]): PlayedWalk[] => {
  const walks: PlayedWalk[] = []
  let start = 0
  for (const [i, { step }] of row.entries()) {
    if (step === 'end') walks.push(played(row.slice(start, i + 1)))
    if (step === 'end' || step === 'control-reading') start = i
  }
  const rest = row.slice(start)
  return rest.length > 1 ? [...walks, played(rest)] : walks
}

const told = ({ request, response }: Exchange): string => {
  const body = request.body ? ` ${request.body.content}` : ''
  const path = new URL(request.url).pathname.replace(/^.*(?=\/inventory)/, '')
  return `${request.method} ${path}${body} (${response?.status ?? 'no answer'})`
}

/** The walk in words, up to where it breaks; the reading that it starts from goes without saying. */
const walkText = ({ exchanges }: PlayedWalk, at: number): string =>
  exchanges
    .slice(1, at + 1)
    .map(told)
    .join(', ')

const failure = (walk: PlayedWalk, found: WalkBreach): Finding<FindingCode> => {
  const text = walkText(walk, found.at)
  const witnesses = walk.exchanges.slice(0, found.at + 1)
  switch (found.what) {
    case 'refused':
      return fail('walk-update-refused', { walk: text, got: found.got }, ...witnesses)
    case 'misanswered': {
      const { field, sent, shown } = found
      return fail('walk-update-misanswered', { walk: text, field, sent, shown }, ...witnesses)
    }
    case 'not-refused': {
      const expected = found.clause === 'INV-5' ? 400 : 404
      return fail('walk-not-refused', { walk: text, expected, got: found.got }, ...witnesses)
    }
    case 'disagrees': {
      const { petId, model, shown } = found
      return found.clause === 'INV-2'
        ? fail('walk-disagrees', { walk: text, petId, model, shown }, ...witnesses)
        : fail('walk-refused-but-changed', { walk: text, petId, before: model, after: shown }, ...witnesses)
    }
  }
}

/** What an entry held when it was read may be somebody else's doing; what an update was answered can't be. */
const doubt = (
  row: readonly Exchange[],
  found: readonly { readonly walk: PlayedWalk; readonly breach: WalkBreach }[],
): Finding<FindingCode> | undefined => {
  const last = found[found.length - 1]
  if (last.breach.what !== 'disagrees') return undefined
  const whole = played(row)
  const stranger = strangerMove(whole.events)
  if (stranger) {
    const { at, petId, before, after } = stranger
    return inconclusive('somebody-else-writes', { petId, before, after }, whole.exchanges[at - 1], whole.exchanges[at])
  }
  if (found.length > 1) return undefined
  const { petId, model, shown, at } = last.breach
  const facts = { walk: walkText(last.walk, at), petId, model, shown }
  return inconclusive('walk-not-repeated', facts, ...last.walk.exchanges)
}

/** The exchanges of the probe, in order. */
export const walkRow = (evidence: Evidence): Exchange[] => answersOf(evidence, 'model-walk')

/**
 * Judges one clause from the walks that were played: fails with the last one that broke it, which is the smallest. With
 * no breach, each of `cases` has to have been answered; which ones there are is up to the draw.
 */
export const judgeWalks = (
  row: readonly Exchange[],
  clause: WalkClause,
  cases: readonly Exchange[],
  wanted: string,
): Finding<FindingCode> => {
  const found = walksOf(row).flatMap((walk) => {
    const breach = walkBreaches(walk.events).find((each) => each.clause === clause)
    return breach ? [{ walk, breach }] : []
  })
  const last = found.at(-1)
  if (last) return doubt(row, found) ?? failure(last.walk, last.breach)
  const open = cases.find((x) => !x.response || [401, 403, 429, 502, 503, 504].includes(x.response.status))
  if (open) {
    const detail = open.response ? `status ${open.response.status}` : (open.error?.message ?? 'no answer')
    return inconclusive('no-answer', { case: told(open), detail }, open)
  }
  if (cases.length === 0) return notTested('walk-drew-none', { wanted })
  return pass('held', { examined: cases.length }, ...cases.slice(0, 3))
}

/** The last update before the first that has to be refused: what it was answered is what those prove. */
export const controlOf = (row: readonly Exchange[]): Exchange[] => {
  const first = row.findIndex(({ step }) => step === 'invalid' || step === 'absent')
  const control = (first < 0 ? row : row.slice(0, first)).findLast((x) => x.operation === 'updateInventory')
  return control ? [control] : []
}
