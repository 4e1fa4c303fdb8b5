import { secondMs } from '../../contract/plans.js'
import { rareAddressHeaders, type SpellingName, writingSpelling } from '../../contract/request-spellings.js'
import { isValidForm } from '../../evidence/credential-forms.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { Pet, ProbeContext, Question } from '../probe.js'
import { pathSpellings } from './path-spellings.js'
import { otherQuantity, somePets, updateOf } from './pets.js'

/** The path of the Petstore's inventory in another spelling. */
const inventoryAt = (name: keyof typeof spelt) => ({ operation: undefined, method: 'GET', path: spelt[name] })
const spelt = pathSpellings('/inventory')

/**
 * Other ways to write the same request, or to ask for something else with the same key (QUOTA-6). A path in another
 * spelling is no operation of the interface: a target need not know it.
 */
export const inventorySpellings = {
  'scheme in lower case': { as: 'lower-case-scheme' },
  'scheme in upper case': { as: 'upper-case-scheme' },
  // Whether a key may be written so is the service's affair; what it accepts counts on the same quota.
  'the key in other letter case': { as: 'key-in-other-case' },
  'blanks behind the key': { as: 'trailing-blanks' },
  'a tab before the key': { as: 'tab-after-scheme' },
  'more blanks before the key': { as: 'blanks-after-scheme' },
  'X-Forwarded-For': { headers: [['X-Forwarded-For', '203.0.113.7']] },
  'another X-Forwarded-For': { headers: [['X-Forwarded-For', '198.51.100.23, 203.0.113.9']] },
  'X-Real-IP': { headers: [['X-Real-IP', '203.0.113.8']] },
  Forwarded: { headers: [['Forwarded', 'for=203.0.113.10']] },
  'other headers of proxies': { headers: rareAddressHeaders.map((name) => [name, '203.0.113.11'] as const) },
  'another User-Agent': { headers: [['User-Agent', 'somebody-else/1.0']] },
  'another Accept': { headers: [['Accept', 'application/*;q=0.9']] },
  'headers of a session': {
    headers: [
      ['Cookie', 'session=somebody-else'],
      ['Accept-Language', 'mi'],
      ['Referer', 'https://somebody-else.example/'],
      ['X-Request-Id', 'b7f1c2d0-5a3e-4c1b-9d8f-2e6a7c4b1f09'],
      ['X-Device-Id', 'another-device'],
      ['X-Session-Id', 'another-session'],
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
} as const satisfies Readonly<Record<Exclude<SpellingName, typeof writingSpelling>, Partial<Question>>>

/**
 * The spellings without forms of the key that the API took for none before: whoever sends wrong keys time and again may be shut
 * out, and each quota of a contract is asked for with all of them.
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

/** A target is asked with so many other spellings at most, the PATCH among them. */
export const mostSpellings = Object.keys(inventorySpellings).length + 1

/** How often each is asked that is not refused at first: a bucket that refills admits one of the three, a quota of its own all. */
const timesAsked = 3

/** So many spellings are asked with at once: the sooner all were, the less a bucket has given back, or a window ended. */
const askedAtOnce = 4

/** So many that were not refused are asked with once more: by chance, a bucket serves one or two. */
const mostAskedAgain = 4

/** Whether a question shows the key in a form that may be none, so that it is booked as a stranger's. */
const isStrange = ({ as = 'bearer' }: Partial<Question>): boolean => !isValidForm(as)

/** The most of those that are asked while a key is refused, with a key that nobody has; all once more where they were served. */
export const strangersWhileRefused =
  2 * (timesAsked * Object.values<Partial<Question>>(inventorySpellings).filter(isStrange).length + 1)

interface Spelling {
  readonly name: string
  readonly question: Omit<Question, 'step'>
}

/** Whether it asks for another operation of the interface, which a spent key is refused like the plain one: with a 429. */
const isOtherOperation = ({ hasInventory, ordinary }: ProbeContext, { operation }: Partial<Question>): boolean =>
  hasInventory && operation !== undefined && operation !== ordinary.operation

/** Asks with each of these, several times where it is not refused; resolves to those that got the same answer each time. */
const askWith = async (
  context: ProbeContext<'spelling' | 'unknown-key'>,
  spellings: readonly Spelling[],
): Promise<readonly Spelling[]> => {
  const unrefused: Spelling[] = []
  const ask = async (spelling: Spelling) => {
    const { name, question } = spelling
    const asked = { ...question, step: 'spelling' as const, intent: { ...question.intent, spelling: name } }
    const { status = 0 } = (await context.askOnce(asked)).response ?? {}
    // It has no quota of its own; nor does a form that the service takes for no key. Only another operation gets no other refusal.
    const isOtherwise = status !== 429 && isOtherOperation(context, asked)
    if (status >= 300 && status < 500 && !isOtherwise) return
    // Where any key is served, one in other letter case is another client's.
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
 * On a key that is refused: each of the context's spellings a few times, and PATCHes of a pet where writing is allowed.
 * What was not refused is asked again where the key still is.
 *
 * @param wanted those to ask with; all where none is named.
 */
const askSpellings = async (
  context: ProbeContext<'drain' | 'spelling' | 'unknown-key'>,
  pets: readonly Pet[],
  wanted?: readonly string[],
): Promise<void> => {
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name)
  const [pet] = pets
  const all: Spelling[] = Object.entries(context.spellings)
    .filter(([name]) => isWanted(name))
    .map(([name, question]) => ({
      name,
      question: { ...context.ordinary, ...question, ...(question.petId !== undefined && pet && { petId: pet.id }) },
    }))
  if (!context.readOnly && pet !== undefined && isWanted(writingSpelling)) {
    context.willTouch(pet)
    all.push({ name: writingSpelling, question: updateOf(pet.id, otherQuantity(pet.quantity)) })
  }
  const unrefused = await askWith(context, all)
  if (unrefused.length === 0) return
  const plain = await drain(context)
  if (plain.some(({ response }) => response?.status === 429)) await askWith(context, unrefused.slice(0, mostAskedAgain))
}

/** PATCHes, each of another pet: if a refill lets one through, the others are still refused. */
const mostWrites = 4

/** Plain requests just before them, which take what a bucket has given back meanwhile: 8 s of 60 a minute. */
const mostDrained = 8

/** PATCHes in the middle of the refusals, all at once: one that is refused must change nothing (INV-8). */
const writeWhileRefused = async (
  context: ProbeContext<'drain' | 'write-refused'>,
  pets: readonly Pet[],
): Promise<void> => {
  for (const pet of pets) context.willTouch(pet)
  const plain = drain(context)
  const writes = pets.map(({ id, quantity }) =>
    context.askOnce({ step: 'write-refused', ...updateOf(id, otherQuantity(quantity)) }),
  )
  await Promise.all([plain, ...writes])
}

/** Pets that a bucket may let it change, for what it gives back meanwhile: one by each PATCH, and one by a spelling. */
export const changedWhileRefused = mostWrites + 1

export const askedWhileRefusedCost = mostWrites + 2 * mostDrained + (mostSpellings + mostAskedAgain) * timesAsked

/** How often the list is asked for once the key should be served again, where the wait that is named is too short. */
const mostReadings = 3

/**
 * Reads the list once the key is served again: it shows what came of the refused writes. A target that names too short
 * a wait refuses this reading too; then it is repeated after the wait that is named, and a second more, for it may be
 * cut off.
 */
export const readOnceServed = async (context: ProbeContext<'after'>): Promise<void> => {
  for (let reading = 1; reading <= mostReadings; reading += 1) {
    // Not paced: the key has just been served again, and nothing but this is to come on it before the next window.
    const x = await context.askOnce({ step: 'after', ...context.ordinary })
    const { retryAt = context.now() } = context.hintsOf(x)
    if (x.response?.status !== 429 || retryAt > context.now() + context.longestWaitMs) return
    if (reading < mostReadings) await context.waitUntil(retryAt + secondMs, 'the time that Retry-After asked for')
  }
}

/** The most requests that {@link readOnceServed} sends. */
export const readOnceServedCost = mostReadings

/**
 * Asks what can be asked only while the key is refused: PATCHes, and other spellings. On one key of a run only, for two
 * that write would be in each other's way.
 *
 * @param spellings those to ask with; all where none is named.
 */
export const askWhileRefused = async (
  context: ProbeContext<'drain' | 'write-refused' | 'spelling' | 'unknown-key'>,
  pets: readonly Pet[],
  spellings?: readonly string[],
): Promise<void> => {
  // The other spellings get another pet, so that a change of one of these was made by its PATCH.
  const written = context.readOnly ? [] : somePets(context, pets, mostWrites)
  if (written.length > 0) await writeWhileRefused(context, written)
  await askSpellings(
    context,
    pets.filter((pet) => !written.includes(pet)),
    spellings,
  )
}
