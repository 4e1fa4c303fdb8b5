import { secondMs } from '../../contract/plans.js'
import { rareAddressHeaders, type SpellingName, writingSpellings } from '../../contract/request-spellings.js'
import { isValidForm } from '../../evidence/credential-forms.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Pet, ProbeContext, Question } from '../probe.js'
import { pathSpellings } from './path-spellings.js'
import { otherQuantity, somePets, updateOf } from './pets.js'

const inventoryAt = (name: keyof typeof spelt) => ({ operation: undefined, method: 'GET', path: spelt[name] })
const spelt = pathSpellings('/inventory')

/**
 * Other ways to write the same request, or to ask for something else with the same key (QUOTA-6). A path in another
 * spelling is no operation of the interface: a target need not know it.
 */
export const inventorySpellings = {
  'scheme in lower case': { as: 'lower-case-scheme' },
  'scheme in upper case': { as: 'upper-case-scheme' },
  // The service decides whether a key may be written so; what it accepts counts on the same quota.
  'the key in other letter case': { as: 'key-in-other-case' },
  'blanks behind the key': { as: 'trailing-blanks' },
  'a tab before the key': { as: 'tab-after-scheme' },
  'more blanks before the key': { as: 'blanks-after-scheme' },
  'the key percent-encoded': { as: 'key-percent-encoded' },
  // A limiter may spare the machine itself, or those of its own network, by what a header claims.
  'X-Forwarded-For': { headers: [['X-Forwarded-For', '127.0.0.1']] },
  'another X-Forwarded-For': { headers: [['X-Forwarded-For', '198.51.100.23, 203.0.113.9']] },
  'X-Real-IP': { headers: [['X-Real-IP', '10.0.0.8']] },
  Forwarded: { headers: [['Forwarded', 'for=203.0.113.10']] },
  'other headers of proxies': { headers: rareAddressHeaders.map((name) => [name, '203.0.113.11'] as const) },
  'another User-Agent': { headers: [['User-Agent', 'somebody-else/1.0']] },
  'another Accept': { headers: [['Accept', 'application/*;q=0.9']] },
  'another Accept-Encoding': { headers: [['Accept-Encoding', 'identity']] },
  'X-HTTP-Method-Override': { headers: [['X-HTTP-Method-Override', 'GET']] },
  'headers of a session': {
    headers: [
      ['Cookie', 'session=somebody-else'],
      ['Accept-Language', 'mi'],
      ['Referer', 'https://somebody-else.example/'],
      ['X-Request-Id', 'b7f1c2d0-5a3e-4c1b-9d8f-2e6a7c4b1f09'],
      ['X-Device-Id', 'another-device'],
      ['X-Session-Id', 'another-session'],
      ['X-Client-Id', 'another-client'],
      ['X-User-Id', 'another-user'],
    ],
  },
  'X-Api-Key': { headers: [['X-Api-Key', 'nobodys-key']] },
  'a query string': { path: '/inventory?page=1' },
  'another query string': { path: '/inventory?page=2' },
  'a trailing slash': inventoryAt('a trailing slash'),
  'a doubled slash': inventoryAt('a doubled slash'),
  'a percent-encoded letter': inventoryAt('a percent-encoded letter'),
  'a capital letter': inventoryAt('a capital letter'),
  'another operation': { operation: 'listOrders' },
  'a third operation': { operation: 'getPet', petId: 1n },
} as const satisfies Readonly<Record<Exclude<SpellingName, (typeof writingSpellings)[number]>, Partial<Question>>>

/**
 * The spellings without forms of the key that the API has rejected: a client that keeps sending wrong keys may be shut
 * out, and each quota of a contract is asked with all of them.
 */
export const withoutWrongKeys = (
  spellings: Readonly<Record<string, Partial<Question>>>,
  sent: readonly Pick<Exchange, 'credential' | 'response'>[],
): Readonly<Record<string, Partial<Question>>> => {
  const wrong = new Set(
    sent.flatMap(({ credential, response }) =>
      response?.status === 401 && !isValidForm(credential) ? [credential] : [],
    ),
  )
  return Object.fromEntries(Object.entries(spellings).filter(([, { as = 'agreed' }]) => !wrong.has(as)))
}

/** The most other spellings that a target is asked with, the PATCHes among them. */
export const mostSpellings = Object.keys(inventorySpellings).length + writingSpellings.length

/** How often one is sent that is not refused at first: a bucket that refills admits one of the three, its own quota all. */
const timesAsked = 3

/** How many spellings are sent at once: the sooner all were sent, the less a bucket has given back, or a window ended. */
const askedAtOnce = 4

/** How many of those not refused are sent once more: a bucket serves one or two by chance. */
const mostAskedAgain = 4

/** Whether a question shows the key in a form that may not be one, so that it is booked as a stranger's. */
const isStrange = ({ as = 'bearer' }: Partial<Question>): boolean => !isValidForm(as)

/** The most of those that are sent while a key is refused, and one with a key that nobody has; twice if they are served. */
export const strangersWhileRefused =
  2 * (timesAsked * Object.values<Partial<Question>>(inventorySpellings).filter(isStrange).length + 1)

/** The bytes of a long body, blanks behind its JSON: more than limiters in front of a parser look at, allowed by servers. */
const longBody = 4096

interface Spelling {
  readonly name: string
  readonly question: Omit<Question, 'step'>
}

/** Whether it asks for another operation of the interface: that has to be refused on a spent key too, with a 429. */
const isOtherOperation = ({ hasInventory, ordinary }: ProbeContext, { operation }: Partial<Question>): boolean =>
  hasInventory && operation !== undefined && operation !== ordinary.operation

/** Sends each of these, several times if it is not refused; resolves to those that got the same answer each time. */
const askWith = async (context: ProbeContext<'spelling' | 'unknown-key'>, spellings: readonly Spelling[]) => {
  const unrefused: Spelling[] = []
  const ask = async (spelling: Spelling) => {
    const { name, question } = spelling
    const asked = { ...question, step: 'spelling' as const, intent: { ...question.intent, spelling: name } }
    const { status = 0 } = (await context.askOnce(asked)).response ?? {}
    // It has no quota of its own; nor has a form that the service takes for no key. Another operation has to get a 429.
    const isOtherwise = status !== 429 && isOtherOperation(context, asked)
    if (status >= 300 && status < 500 && !isOtherwise) return
    // If any key is served, one in other letter case is another client's.
    if (asked.as === 'key-in-other-case')
      await context.askOnce({ step: 'unknown-key', ...context.ordinary, as: 'unknown-key' })
    const more = await Promise.all(Array.from({ length: timesAsked - 1 }, () => context.askOnce(asked)))
    const isSteady = more.every(({ response }) => response?.status === status)
    if (isSteady && (status === 200 || isOtherwise)) unrefused.push(spelling)
  }
  for (let at = 0; at < spellings.length; at += askedAtOnce)
    await Promise.all(spellings.slice(at, at + askedAtOnce).map(ask))
  return unrefused
}

const drain = (context: ProbeContext<'drain'>): Promise<Exchange[]> =>
  Promise.all(Array.from({ length: mostDrained }, () => context.askOnce({ step: 'drain', ...context.ordinary })))

/**
 * On a refused key: sends each of the context's spellings a few times, and PATCHes of a pet if writing is allowed.
 * Those that were not refused are sent again if the key still is.
 *
 * @param wanted the spellings to send; all if none is named.
 */
const askSpellings = async (
  context: ProbeContext<'drain' | 'spelling' | 'unknown-key'>,
  pets: readonly Pet[],
  wanted?: readonly string[],
): Promise<void> => {
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name)
  const [pet, another = pet] = pets
  const all: Spelling[] = Object.entries(context.spellings)
    .filter(([name]) => isWanted(name))
    .map(([name, question]) => ({
      name,
      question: { ...context.ordinary, ...question, ...(question.petId !== undefined && pet && { petId: pet.id }) },
    }))
  if (!context.readOnly && pet !== undefined) {
    for (const each of [pet, another]) context.willTouch(each)
    const unchanged = updateOf(another.id, another.quantity)
    const written: Readonly<Record<(typeof writingSpellings)[number], Spelling['question']>> = {
      'a PATCH of another pet': updateOf(pet.id, otherQuantity(pet.quantity)),
      'a PATCH that changes nothing': unchanged,
      'a PATCH with a long body': { ...unchanged, body: unchanged.body.padEnd(longBody) },
    }
    all.push(...writingSpellings.filter(isWanted).map((name) => ({ name, question: written[name] })))
  }
  const unrefused = await askWith(context, all)
  if (unrefused.length === 0) return
  const plain = await drain(context)
  if (plain.some(({ response }) => response?.status === 429)) await askWith(context, unrefused.slice(0, mostAskedAgain))
}

/** How many PATCHes, each of another pet: if a refill lets one through, the others are still refused. */
const mostWrites = 4

/** How many plain requests just before them take what a bucket has given back meanwhile: 8 s' worth of 60 a minute. */
const mostDrained = 8

/** PATCHes in the middle of the refusals, all at once: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (context: ProbeContext<'drain' | 'write-refused'>, pets: readonly Pet[]) => {
  for (const pet of pets) context.willTouch(pet)
  const plain = drain(context)
  const writes = pets.map(({ id, quantity }) =>
    context.askOnce({ step: 'write-refused', ...updateOf(id, otherQuantity(quantity)) }),
  )
  await Promise.all([plain, ...writes])
}

/** How many pets it may change because a bucket gives something back: one by each PATCH, and one by a spelling. */
export const changedWhileRefused = mostWrites + 1

export const askedWhileRefusedCost = mostWrites + 2 * mostDrained + (mostSpellings + mostAskedAgain) * timesAsked

/** How often the list is read once the key should be served again, if the named wait is too short. */
const mostReadings = 3

/**
 * Reads the list once the key is served again: it shows what the refused writes did. A target that names too short a
 * wait refuses this reading too; then it is repeated after the wait that it names, and a second more, because that may
 * be cut off.
 */
export const readOnceServed = async (context: ProbeContext<'after'>): Promise<void> => {
  for (let reading = 1; reading <= mostReadings; reading += 1) {
    // Not paced: the key has just been served again, and nothing else comes on it before the next window.
    const x = await context.askOnce({ step: 'after', ...context.ordinary })
    const { retryAt = context.now() } = context.hintsOf(x)
    if (x.response?.status !== 429 || retryAt > context.now() + context.longestWaitMs) return
    if (reading < mostReadings) await context.waitUntil(retryAt + secondMs, 'the time that Retry-After asked for')
  }
}

export const readOnceServedCost = mostReadings

/**
 * Sends what can be sent only while the key is refused: PATCHes, and other spellings. On one key of a run only, because
 * two that write would be in each other's way.
 *
 * @param spellings the spellings to send; all if none is named.
 */
export const askWhileRefused = async (
  context: ProbeContext<'drain' | 'write-refused' | 'spelling' | 'unknown-key'>,
  pets: readonly Pet[],
  spellings?: readonly string[],
): Promise<void> => {
  // The other spellings use another pet, so that a change of one of these was made by its PATCH.
  const written = context.readOnly ? [] : somePets(context, pets, 'kept', mostWrites)
  if (written.length > 0) await writeWhileRefused(context, written)
  await askSpellings(
    context,
    pets.filter((pet) => !written.includes(pet)),
    spellings,
  )
}
