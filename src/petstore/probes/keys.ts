import { type OperationId, operations } from '../../contract/petstore/operations.js'
import { type CredentialForm, carriesKey, formsThatAre } from '../../evidence/credential-forms.js'
import { absentIds, otherQuantity, somePet, updateBody } from '../../probes/moves/pets.js'
import { defineProbe, type Pet, type Probe, type ProbeContext, type Question } from '../../probes/probe.js'

/** A well-formed request to each of the four operations; the PATCH would change the pet if it were let through. */
const everyOperation = (pet: Pet): (Pick<Question, 'petId' | 'body' | 'intent'> & { operation: OperationId })[] =>
  (Object.keys(operations) as OperationId[]).map((operation) => ({
    operation,
    petId: pet.id,
    intent: { petId: String(pet.id) },
    ...(operation === 'updateInventory' ? { body: updateBody(otherQuantity(pet.quantity)) } : {}),
  }))

/** {@link somePet}; of an empty inventory one that it lacks: a bad key is refused either way (AUTH-5). */
const somePetOrAbsent = (context: ProbeContext, pets: readonly Pet[]): Pet =>
  pets.length > 0
    ? somePet(context, pets, 'kept')
    : { id: absentIds(context, pets)[0], quantity: 2n, status: 'unknown' }

const noKey = defineProbe({
  id: 'no-key',
  summary: 'Sends every operation without a key.',
  cost: () => ({ keyed: 3, strangers: 4, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePetOrAbsent(context, pets)
    if (!context.readOnly && pets.length > 0) context.willTouch(pet)
    for (const question of everyOperation(pet)) {
      if (context.readOnly && question.body) continue
      await context.ask({ ...question, step: 'without', as: 'none' })
    }
    await context.inventory('after')
  },
})

/** Forms that are no valid key, however a server reads them, each with its step (AUTH-2, AUTH-4). */
const forms = [
  ...formsThatAre('unknown').map((as) => ({ as, step: 'unknown-key' }) as const),
  ...formsThatAre('refused').map((as) => ({ as, step: as })),
]
/** Forms that all operations read in one place: they are sent to one operation. */
const askedOnce: ReadonlySet<string> = new Set([
  'key-last-changed',
  'key-middle-changed',
  'key-cut-at-front',
  'key-and-comma',
  'another-scheme',
  'basic-scheme-with-key',
  'bearer-twice',
  'no-blank',
  'null-as-key',
  'property-as-key',
])
const strange = (pet: Pet) =>
  forms.flatMap(({ as, step }) =>
    everyOperation(pet)
      .filter(({ operation }) => !askedOnce.has(as) || operation === 'listInventory')
      .map((question) => ({ ...question, as, step })),
  )
const strangers = strange({ id: 1n, quantity: 1n, status: 'available' })

const badKeys = defineProbe({
  id: 'bad-keys',
  summary: 'Sends every operation with unknown and malformed keys; none may change anything.',
  cost: () => ({
    keyed: 4,
    strangers: strangers.length,
    strangersWithKey: strangers.filter(({ as }) => carriesKey(as)).length,
  }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePetOrAbsent(context, pets)
    await context.ask({ step: 'control', operation: 'listInventory' })
    if (!context.readOnly && pets.length > 0) context.willTouch(pet)
    for (const question of strange(pet)) {
      if (context.readOnly && question.body) continue
      const { method, path } = operations[question.operation]
      // These forms share one step: the case tells them apart.
      const name = `${method} ${path} (${question.as.replaceAll('-', ' ')})`
      const intent = question.step === 'unknown-key' ? { ...question.intent, case: name } : question.intent
      await context.ask({ ...question, intent })
    }
    await context.inventory('after')
  },
})

const validBody = 'a valid body'
const [knownPet, unknownPet] = ['a known pet', 'an unknown pet'] as const

/** Null: none is sent. */
const bodies: Readonly<Record<string, string | null | undefined>> = {
  [validBody]: undefined,
  'a body that is no JSON': '{"quantity":',
  'no body at all': null,
  'a string as quantity': '{"quantity":"5"}',
}

const credentials = ['none', 'unknown-key', 'basic'] as const

/** One thing is wrong besides the key, or nothing: the PATCHes of {@link keyBeforeBody} by case. */
const cases = [
  ...Object.entries(bodies).map(([what, body]) => ({ name: `${what}, ${knownPet}`, body, isKnown: true })),
  { name: `${validBody}, ${unknownPet}`, body: undefined, isKnown: false },
]

/** What is wrong besides the key, by the name of the case: the body if two things are, as in earlier runs; null if nothing is. */
export const wrongBesideKey = (name: string): 'a broken body' | typeof unknownPet | null => {
  if (!name.startsWith(validBody)) return 'a broken body'
  return name.endsWith(unknownPet) ? unknownPet : null
}

const keyBeforeBody = defineProbe({
  id: 'key-before-body',
  summary: 'Sends bad bodies with bad keys: the answer must be about the key.',
  cost: () => ({
    keyed: 3,
    strangers: credentials.length * (2 + cases.length),
    strangersWithKey: 2 + cases.length,
    minutes: 0,
  }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePet(context, pets, 'kept')
    context.willTouch(pet)
    const [, , absent] = absentIds(context, pets)
    for (const as of credentials) {
      for (const [petId, which] of [
        [pet.id, knownPet],
        [absent, unknownPet],
      ] as const) {
        const intent = { case: `${validBody}, ${which}`, credential: as, petId: String(petId) }
        await context.ask({ step: 'denied', operation: 'getPet', petId, as, intent })
      }
      for (const { name, body = updateBody(otherQuantity(pet.quantity)), isKnown } of cases) {
        const petId = isKnown ? pet.id : absent
        const intent = { case: name, credential: as, petId: String(petId) }
        await context.ask({ step: 'denied', operation: 'updateInventory', petId, body: body ?? undefined, as, intent })
      }
    }
    await context.inventory('after')
  },
})

/** A reading of the list with the key in another form, which is the case. */
const listedAs = <Step, As extends CredentialForm>(step: Step, as: As) =>
  ({ step, operation: 'listInventory', as, intent: { case: as } }) as const

/** The scheme's name in other letter cases, after a control in the ordinary one. */
const schemeCase = defineProbe({
  id: 'scheme-case',
  summary: "Writes the credential's scheme in lower and in upper case, which HTTP allows.",
  cost: () => ({ keyed: 3 }),
  async play(context) {
    await context.ask({ step: 'control', operation: 'listInventory' })
    for (const as of ['lower-case-scheme', 'upper-case-scheme'] as const) await context.ask(listedAs('other-case', as))
  },
})

/** Sends the key in the query, a cookie or other letter case, and in header spellings that servers read differently. */
export const keyElsewhere = defineProbe({
  id: 'key-elsewhere',
  summary: 'Sends the key in the query, in a cookie, in other letter case and in odd spellings of the header.',
  cost: () => ({ keyed: 1, strangers: 9, strangersWithKey: 9 }),
  async play(context) {
    await context.ask({ step: 'control', operation: 'listInventory' })
    for (const as of formsThatAre('elsewhere')) await context.ask(listedAs('elsewhere', as))
    for (const as of ['key-and-more', 'trailing-blanks', 'tab-after-scheme', 'api-key-header'] as const)
      await context.ask(listedAs('open', as))
    const { letterCase } = context.key
    if (letterCase) await context.ask(listedAs(letterCase === 'mixed' ? 'other-case' : 'open', 'key-in-other-case'))
    // Sent as no operation: HTTP forbids a second such header (RFC 9110 §5.3), so a proxy may answer it, without our
    // headers.
    await context.ask({ ...listedAs('open', 'two-headers'), operation: undefined, method: 'GET', path: '/inventory' })
  },
})

export const keyProbes: readonly Probe[] = [noKey, badKeys, keyBeforeBody, schemeCase, keyElsewhere]
