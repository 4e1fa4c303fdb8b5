import { strangerMove, type WalkBreach, type WalkClause, walkBreaches } from '../../../contract/inventory-model.js'
import type { Evidence } from '../../../evidence/evidence.js'
import type { Exchange } from '../../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import type { PlayedWalk, WalkRow } from '../../readings/walk-row.js'
import { fail, inconclusive } from '../finding.js'
import { concluded, type Need, tellingCases } from '../needs.js'

declare module '../../../verdict/verdict.js' {
  interface FindingFacts {
    /** The smallest walk that shows it, as requests and statuses in order. */
    'walk-update-refused': { walk: string; got: number }
    'walk-update-misanswered': { walk: string; field: string; sent: string; shown: string }
    'walk-not-refused': { walk: string; expected: number; got: number }
    'walk-disagrees': { walk: string; petId: string; model: string; shown: string }
    'walk-refused-but-changed': { walk: string; petId: string; before: string; after: string }
    /** Seen once, and not again when the same was tried again: perhaps somebody else's doing. */
    'walk-not-repeated': { walk: string; petId: string; model: string; shown: string }
  }
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
  { whole }: WalkRow,
  found: readonly { readonly walk: PlayedWalk; readonly breach: WalkBreach }[],
): Finding<FindingCode> | undefined => {
  const last = found[found.length - 1]
  if (last.breach.what !== 'disagrees') return undefined
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

/** What of a walk tells of a clause: exchanges in which its breach would have shown. Which ones there are is up to the draw. */
export interface WalkCases extends Need {
  readonly clause: WalkClause
  /** Those that were asked, and those of them that tell. */
  asked(played: WalkRow): readonly Exchange[]
  tells(x: Exchange, played: WalkRow): boolean
}

/**
 * Judges one clause from the walks that were played: fails with the last one that broke it, which is the smallest. With
 * no breach, each case has to have been answered, and enough of them have to tell.
 */
export const judgeWalks = (
  evidence: Evidence,
  played: WalkRow,
  { clause, asked, tells, ...need }: WalkCases,
): Finding<FindingCode> => {
  const found = played.walks.flatMap((walk) => {
    const breach = walkBreaches(walk.events).find((each) => each.clause === clause)
    return breach ? [{ walk, breach }] : []
  })
  const last = found.at(-1)
  if (last) return doubt(played, found) ?? failure(last.walk, last.breach)
  const cases = asked(played)
  const open = cases.find((x) => !x.response || [401, 403, 429, 502, 503, 504].includes(x.response.status))
  if (open) {
    const detail = open.response ? `status ${open.response.status}` : (open.error?.message ?? 'no answer')
    return inconclusive('no-answer', { case: told(open), detail }, open)
  }
  const telling = tellingCases()
  for (const x of cases) if (tells(x, played)) telling.add(x)
  return concluded(evidence, need, telling, { leftOut: cases.length - telling.count })
}
