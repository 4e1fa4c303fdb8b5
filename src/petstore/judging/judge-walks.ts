import { fail, inconclusive } from '../../checks/framework/finding.js'
import { noAnswer } from '../../checks/framework/judge-answers.js'
import { judgeCases } from '../../checks/framework/judge-cases.js'
import type { Need } from '../../checks/framework/needs.js'
import type { SentencesOf } from '../../checks/framework/sentences.js'
import type { SharedCode } from '../../checks/framework/shared-sentences.js'
import {
  strangerMove,
  type WalkBreach,
  type WalkClause,
  walkBreaches,
} from '../../contract/petstore/inventory-model.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { PlayedWalk, WalkRow } from '../readings/walk-row.js'

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

const failure = (walk: PlayedWalk, found: WalkBreach) => {
  const text = walkText(walk, found.at)
  const witnesses = walk.exchanges.slice(0, found.at + 1)
  // An answer that is wrong by itself comes first: the promise speaks of it, and of what came before it only in passing.
  const brokenFirst = [walk.exchanges[found.at], ...walk.exchanges.slice(0, found.at)]
  switch (found.what) {
    case 'refused':
      return fail('walk-update-refused', { walk: text, got: found.got }, ...brokenFirst)
    case 'misanswered': {
      const { field, sent, shown } = found
      return fail('walk-update-misanswered', { walk: text, field, sent, shown }, ...brokenFirst)
    }
    case 'not-refused': {
      const expected = found.clause === 'INV-5' ? 400 : 404
      return fail('walk-not-refused', { walk: text, expected, got: found.got }, ...brokenFirst)
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
const doubt = ({ whole }: WalkRow, found: readonly { readonly walk: PlayedWalk; readonly breach: WalkBreach }[]) => {
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
export const judgeWalks = (evidence: Evidence, played: WalkRow, { clause, asked, tells, ...need }: WalkCases) => {
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
    return noAnswer(told(open), detail, open)
  }
  const look = (x: Exchange) => (tells(x, played) ? undefined : 'left-out')
  return judgeCases(evidence, cases, need, look, { witnessOf: (x) => x })
}

type OfWalks = ReturnType<typeof judgeWalks>

export const walkSentences = {
  'walk-update-refused': (f) => `a valid PATCH was answered ${f.got}; the smallest walk that shows it: ${f.walk}`,
  'walk-update-misanswered': (f) =>
    `a PATCH was answered with the ${f.field} ${f.shown}, where ${f.sent} was sent; the smallest walk that shows it: ${f.walk}`,
  'walk-not-refused': (f) =>
    `an update was answered ${f.got}, where ${f.expected} is due; the smallest walk that shows it: ${f.walk}`,
  'walk-disagrees': (f) =>
    `the list shows ${f.shown} for pet ${f.petId}, where a model of the inventory has ${f.model}; the smallest walk that shows it: ${f.walk}`,
  'walk-refused-but-changed': (f) =>
    `updates that were all refused changed pet ${f.petId} from ${f.before} to ${f.after}; the smallest walk that shows it: ${f.walk}`,
  'walk-not-repeated': (f) =>
    `once the list showed ${f.shown} for pet ${f.petId}, where a model of the inventory had ${f.model}, and never again: ${f.walk}`,
} satisfies SentencesOf<OfWalks, Exclude<OfWalks['code'], SharedCode>>
