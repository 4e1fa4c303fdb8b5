import { isWhole, objectOf } from '../../checks/framework/answers.js'
import { type Advice, defineCheck, type Promised } from '../../checks/framework/check.js'
import { fail, inconclusive, notTested, type SentencesOf } from '../../checks/framework/finding.js'
import { failedControl, judgeCases, noAnswer } from '../../checks/framework/judge-cases.js'
import type { TellingCases } from '../../checks/framework/needs.js'
import type { SharedCode } from '../../checks/framework/shared-sentences.js'
import {
  shownEntry,
  strangerMove,
  type UpdateKind,
  updateKinds,
  type WalkBreach,
  type WalkClause,
  type WalkEvent,
  walkBreaches,
} from '../../contract/petstore/inventory-model.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { onceFor } from '../../kit/once-for.js'
import { isUpdated, quantitiesOf } from '../listed-pets.js'
import { absentPetAdvice } from './inventory-refusals.js'

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

interface WalkRow {
  readonly row: readonly Exchange[]
  readonly whole: PlayedWalk
  readonly walks: readonly PlayedWalk[]
}

/** The walks of a run, each up to its closing reading; one that was interrupted goes as far as it came. */
const split = ({ exchanges, events }: PlayedWalk): PlayedWalk[] => {
  const walks: PlayedWalk[] = []
  const add = (from: number, to: number) =>
    walks.push({ exchanges: exchanges.slice(from, to), events: events.slice(from, to) })
  let start = 0
  for (const [i, { step }] of exchanges.entries()) {
    if (step === 'end') add(start, i + 1)
    if (step === 'end' || step === 'control-reading') start = i
  }
  if (exchanges.length - start > 1) add(start, exchanges.length)
  return walks
}

/** What the probe did, in order. Read once a run: long lists are slow to read, and several checks judge the same walks. */
const walkRow = onceFor((evidence: Evidence): WalkRow => {
  const row = answersOf(evidence, 'model-walk')
  const both = row.flatMap((x) => {
    const event = eventOf(x)
    return event ? [{ x, event }] : []
  })
  const whole = { exchanges: both.map(({ x }) => x), events: both.map(({ event }) => event) }
  return { row, whole, walks: split(whole) }
})

/** The last update before the first that has to be refused: its answer shows what the refusals prove. */
const controlOf = ({ row }: WalkRow): Exchange[] => {
  const first = row.findIndex(({ step }) => step === 'invalid' || step === 'absent')
  const control = (first < 0 ? row : row.slice(0, first)).findLast((x) => x.operation === 'updateInventory')
  return control ? [control] : []
}

const told = ({ request, response }: Exchange): string => {
  const body = request.body ? ` ${request.body.content}` : ''
  const path = new URL(request.url).pathname.replace(/^.*(?=\/inventory)/, '')
  return `${request.method} ${path}${body} (${response?.status ?? 'no answer'})`
}

/** The walk in words, up to where it breaks, without the reading that it starts from. */
const walkText = ({ exchanges }: PlayedWalk, at: number): string =>
  exchanges
    .slice(1, at + 1)
    .map(told)
    .join(', ')

const failure = (walk: PlayedWalk, found: WalkBreach) => {
  const text = walkText(walk, found.at)
  const witnesses = walk.exchanges.slice(0, found.at + 1)
  // An answer that is wrong by itself comes first: what came before it matters to the promise only in passing.
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

/** What a list shows may be somebody else's doing; what an update was answered can't be. */
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

/** The exchanges of a walk in which a breach of a clause would have shown. Which there are depends on the draw. */
interface WalkCases {
  readonly clause: WalkClause
  /** The exchanges to look at; `tells` says which of them tell. */
  asked(played: WalkRow): readonly Exchange[]
  tells(x: Exchange, played: WalkRow): boolean
}

/**
 * Judges one clause from the walks that were played: fails with the last one that broke it, which is the smallest.
 * Without a breach, each case has to have an answer, and enough of them have to tell.
 */
const judgeWalks = (telling: TellingCases, played: WalkRow, { clause, asked, tells }: WalkCases) => {
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
  return judgeCases(telling, cases, look, { witnessOf: (x) => x })
}

type OfWalks = ReturnType<typeof judgeWalks>

const walkSentences = {
  'walk-update-refused': (f) => `a valid PATCH was answered ${f.got}; the shortest sequence that shows it: ${f.walk}`,
  'walk-update-misanswered': (f) =>
    `a PATCH was answered with the ${f.field} ${f.shown}, where ${f.sent} was sent; the shortest sequence that shows it: ${f.walk}`,
  'walk-not-refused': (f) =>
    `an update was answered ${f.got} instead of ${f.expected}; the shortest sequence that shows it: ${f.walk}`,
  'walk-disagrees': (f) =>
    `the list shows ${f.shown} for pet ${f.petId}, where a model of the inventory has ${f.model}; the shortest sequence that shows it: ${f.walk}`,
  'walk-refused-but-changed': (f) =>
    `updates that were all refused changed pet ${f.petId} from ${f.before} to ${f.after}; the shortest sequence that shows it: ${f.walk}`,
  'walk-not-repeated': (f) =>
    `once the list showed ${f.shown} for pet ${f.petId}, where a model of the inventory had ${f.model}, and never again: ${f.walk}`,
} satisfies SentencesOf<OfWalks, Exclude<OfWalks['code'], SharedCode>>

interface WalkCheck extends Pick<Promised, 'id' | 'promise'>, WalkCases {
  readonly cases: string
  readonly advice: Advice
  /** Whether an update before the first that has to be refused serves as the control. */
  readonly controlled?: true
  /** Whether the target refused every quantity at the edges, as it may: then it has nothing to keep. */
  allRefused?(played: WalkRow): boolean
}

/** A check of one clause by random walks; if they show nothing, the pass of the clause's own check stands. */
const walkCheck = ({ id, promise, advice, cases, controlled, allRefused, ...walkCases }: WalkCheck) =>
  defineCheck({
    id,
    promise,
    clauses: [walkCases.clause],
    advice,
    reads: ['model-walk'],
    needs: { cases },
    yields: true,
    judge(evidence, telling) {
      const played = walkRow(evidence)
      if (allRefused?.(played)) return notTested('all-bounds-refused', {})
      return (controlled && failedControl(controlOf(played))) ?? judgeWalks(telling, played, walkCases)
    },
    sentences: walkSentences,
  })

const updatesIn = ({ row }: WalkRow): Exchange[] =>
  row.filter(({ step }) => step === 'valid' || step === 'control' || step === 'loose')

/** A quantity that the interface leaves open may be refused; one that is accepted has to be kept. */
const isRefusedLoose = ({ step, response }: Exchange): boolean => step === 'loose' && response?.status === 400

const allLooseRefused = (played: WalkRow): boolean => {
  const updates = updatesIn(played)
  return updates.length > 0 && updates.every(isRefusedLoose)
}

/** Whether the answer shows pet and quantity: an unreadable one shows nothing about what was sent. */
const showsBoth = (x: Exchange): boolean => {
  const { petId, quantity } = isUpdated(x) && isWhole(x) ? shownEntry(objectOf(x)) : {}
  return petId !== undefined && quantity !== undefined
}

export const modelAbsentRefused = walkCheck({
  id: 'inventory.model-absent-refused',
  promise: 'A PATCH of a petId that no entry has gets 404, whatever came before it.',
  clause: 'INV-6',
  advice: absentPetAdvice,
  cases: 'PATCHes of an unknown pet',
  asked: (played) => played.row.filter(({ step }) => step === 'absent'),
  tells: ({ response }) => response?.status === 404,
  controlled: true,
})

export const modelAgrees = walkCheck({
  id: 'inventory.model-agrees',
  promise: 'After any sequence of PATCH and GET the list shows what a model of the inventory says.',
  clause: 'INV-2',
  advice: 'Check how updates are stored: lost writes, a stale cache, or one row mistaken for another.',
  cases: 'readings after an accepted PATCH',
  asked(played) {
    const [accepted] = updatesIn(played).filter(isUpdated)
    const first = accepted ? played.row.indexOf(accepted) : -1
    return first < 0 ? [] : played.row.slice(first).filter((x) => x.operation === 'listInventory')
  },
  tells: (x) => quantitiesOf(x) !== undefined,
  allRefused: allLooseRefused,
})

export const modelInvalidRefused = walkCheck({
  id: 'inventory.model-invalid-refused',
  promise: 'Random bodies that are not a JSON object, or whose quantity is not an integer, get 400.',
  clause: 'INV-5',
  advice: 'Check how the body of a PATCH is validated: only a JSON object with an integer quantity passes.',
  cases: 'PATCHes with an invalid body',
  asked: (played) => played.row.filter(({ step }) => step === 'invalid'),
  tells: ({ response }) => response?.status === 400,
  controlled: true,
})

export const modelRefusedUnchanged = walkCheck({
  id: 'inventory.model-refused-unchanged',
  promise: 'Random updates that get 400 or 404 change no entry.',
  clause: 'INV-8',
  advice: 'Check whether the update is stored before it is validated: a refused one must change nothing.',
  cases: 'PATCHes answered 400 or 404 between two readings',
  asked: ({ row }) => row.filter((x) => x.response?.status === 400 || x.response?.status === 404),
  tells(x, { whole: { exchanges, events } }) {
    const at = exchanges.indexOf(x)
    const isReading = (i: number) => events[i].kind === 'reading'
    return events.some((_, i) => i < at && isReading(i)) && events.some((_, i) => i > at && isReading(i))
  },
})

export const modelValidUpdates = walkCheck({
  id: 'inventory.model-valid-updates',
  promise: 'Random valid updates of random pets are accepted, and answered with that pet and that quantity.',
  clause: 'INV-3',
  advice: 'Check what an update answers: 200, with the pet and the quantity that were stored.',
  cases: 'valid PATCHes whose answer could be read',
  asked: (played) => updatesIn(played).filter((x) => !isRefusedLoose(x)),
  tells: showsBoth,
  allRefused: allLooseRefused,
})
