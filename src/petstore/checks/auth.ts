import { nameOf, operationAnswers } from '../../checks/framework/answers.js'
import { defineCheck } from '../../checks/framework/check.js'
import { breach, fail, inconclusive, notTested } from '../../checks/framework/finding.js'
import {
  expectStatus,
  failedControl,
  judgeAnswers,
  refusedAgain,
  unexpectedStatus,
} from '../../checks/framework/judge-cases.js'
import { bringing, operationKinds, operationOf, statusKinds } from '../../checks/framework/needs.js'
import { type OperationId, operations } from '../../contract/petstore/operations.js'
import { formsThatAre } from '../../evidence/credential-forms.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, headerValues, isAnswered, isGatewayAnswer } from '../../evidence/exchange.js'
import { rowWitness } from '../../evidence/ledger.js'
import { count } from '../../kit/words.js'
import { wrongBesideKey } from '../probes/keys.js'
import { unchangedThrough } from './inventory-refusals.js'
import { openCheck, statusCheck } from './shapes.js'

const everyOperation = Object.keys(operations) as readonly OperationId[]

export const noKeyCheck = statusCheck({
  id: 'auth.no-key',
  promise: 'Each of the four operations answers 401 without an Authorization header.',
  clauses: ['AUTH-1'],
  advice: 'Check which routes check the key: each operation must.',
  asks: ['no-key', 'without'],
  due: 401,
  cases: 'requests without a key',
  kinds: (evidence) => operationKinds(evidence, 'no-key', everyOperation),
  kindOf: operationOf,
})

export const unknownKeyCheck = statusCheck({
  id: 'auth.unknown-key',
  promise: 'Each of the four operations answers 401 to a well-formed but unknown key.',
  clauses: ['AUTH-2'],
  advice: 'Check how a key is looked up: one that is not found must end in 401.',
  asks: ['bad-keys', 'unknown-key'],
  due: 401,
  cases: 'requests with an unknown key',
  kinds: (evidence) => operationKinds(evidence, 'bad-keys', everyOperation),
  kindOf: operationOf,
})

export const schemeCaseCheck = statusCheck({
  id: 'auth.scheme-case',
  promise: 'The target accepts the word Bearer in lower and in upper case.',
  clauses: ['AUTH-7'],
  advice: 'Check how the header is parsed: compare the word Bearer without regard to case.',
  asks: ['scheme-case', 'other-case'],
  due: 200,
  cases: 'requests with the scheme in another case',
  kinds: { 'lower case scheme': ['scheme-case'], 'upper case scheme': ['scheme-case'] },
  kindOf: ({ credential }) => credential.replaceAll('-', ' '),
  controlled: true,
})

/** If the key does not mix its letters, the document leaves open whether case tells keys apart: then this is reported. */
export const keyCase = defineCheck({
  id: 'auth.key-case',
  promise: 'A key whose upper and lower case are swapped is unknown: it gets 401.',
  clauses: ['AUTH-2'],
  advice:
    'Check how keys are compared: upper and lower case are different letters (check the collation of the database, too).',
  reads: ['key-elsewhere'],
  needs: { cases: 'requests with the key in the other case' },
  judge(evidence, telling) {
    const asked = answersOf(evidence, 'key-elsewhere', 'other-case')
    if (asked.length === 0) return notTested('key-of-plain-case', {})
    return failedControl(answersOf(evidence, 'key-elsewhere', 'control')) ?? expectStatus(telling, asked, 401)
  },
  sentences: {
    'key-of-plain-case': () => 'the key does not mix upper and lower case enough to test this',
  },
})

/** Keys to which some operation, or some load, has answered 200. */
const openedBy = ({ exchanges, ledgers }: Evidence): ReadonlySet<string | null> =>
  new Set([
    ...exchanges.filter((x) => x.credential === 'bearer' && x.response?.status === 200).map(({ key }) => key),
    ...ledgers.filter(({ rows }) => rows.status.includes(200)).map(({ head }) => head.key),
  ])

/** A target that rejects the body or the pet had let the key in; a ban, or a broken server, says nothing about the key. */
const isAcceptance = (status: number): boolean => status < 300 || status === 400 || status === 404

export const validKey = defineCheck({
  id: 'auth.valid-key',
  promise: 'The target accepts Authorization: Bearer with a valid key.',
  clauses: ['AUTH-3'],
  advice: 'Check how keys are looked up: this one is valid, yet not every operation accepts it.',
  reads: ['hello'],
  needs: { cases: 'answers to a valid key' },
  judge(evidence, telling) {
    const hellos = answersOf(evidence, 'hello')
    // A key that is rejected everywhere may just be wrong; one that opens one operation opens the others too.
    const accepted = new Set(hellos.filter((x) => x.response?.status === 200).map((x) => x.key))
    // No answer, or a gateway's, says nothing about the key.
    const asked = operationAnswers(evidence).filter(
      (x) => !isGatewayAnswer(x) && x.credential === 'bearer' && accepted.has(x.key) && x.response.status !== 429,
    )
    const found = judgeAnswers(telling, asked, (x) => {
      const { status } = x.response
      if (status === 401) return unexpectedStatus(x, 'anything but 401')
      return isAcceptance(status) ? undefined : 'left-out'
    })
    if (found.verdict === 'fail') return found
    const loads = evidence.ledgers.filter(({ head }) => accepted.has(head.key))
    const rejecting = loads.find(({ rows }) => rows.status.includes(401))
    if (rejecting) {
      const { status } = rejecting.rows
      const times = status.reduce((sum, each) => sum + Number(each === 401), 0)
      const facts = { key: rejecting.head.key, times, of: status.length }
      return fail('rejected-in-load', facts, rowWitness(rejecting, status.indexOf(401)))
    }
    // A key that opened nothing was either no key, or a valid one that was rejected: nobody here can tell.
    const opened = openedBy(evidence)
    const shut = hellos.filter(isAnswered).findLast(({ key }) => !opened.has(key))
    return shut ? inconclusive('key-not-accepted', { key: `${shut.key}`, got: shut.response.status }, shut) : found
  },
  sentences: {
    'rejected-in-load': (f) =>
      `the ${f.key} key was accepted, but ${count(f.times)} of the ${count(f.of)} requests of a load with it got 401`,
    'key-not-accepted': (f) =>
      `the ${f.key} key was never accepted in this run (${f.got}): it is not valid, or the target refuses one that is`,
  },
})

const refusedForms: readonly string[] = formsThatAre('refused')

/** The forms that the clause names; others are sent as well. */
const namedForms = ['empty bearer', 'key cut by one', 'key extended', 'basic', 'basic scheme with key', 'bare key']
const formKinds = Object.fromEntries(namedForms.map((form) => [form, ['bad-keys']]))

export const otherForms = defineCheck({
  id: 'auth.other-forms',
  promise: 'A credential in another form, or a key cut short or extended, answers 401.',
  clauses: ['AUTH-4'],
  advice: 'Check how the header is parsed: Bearer, one space, and the whole key, nothing else.',
  reads: ['bad-keys'],
  needs: { cases: 'requests with another form of credential' },
  judge(evidence, telling) {
    const control = failedControl(answersOf(evidence, 'bad-keys', 'control'))
    if (control) return control
    const asked = answersOf(evidence, 'bad-keys').filter((x) => refusedForms.includes(x.step))
    const refused = asked.find((x) => x.response?.status === 429)
    if (refused) return refusedAgain(nameOf(refused), refused)
    const look = (x: Answered) =>
      x.response.status === 401
        ? undefined
        : breach('bad-form-not-refused', { form: x.credential, case: nameOf(x), got: x.response.status })
    return judgeAnswers(telling, asked, look, {
      kinds: formKinds,
      kindOf: ({ step }) => step.replaceAll('-', ' '),
    })
  },
  sentences: {
    'bad-form-not-refused': (f) =>
      `${f.case} with an invalid credential (${f.form.replaceAll('-', ' ')}) was answered ${f.got} instead of 401`,
  },
})

export const openFormsCheck = openCheck({
  id: 'auth.open-forms',
  promise: 'The report says how the server reads spellings of the header that standards leave open.',
  clauses: ['AUTH-4'],
  asks: ['key-elsewhere', 'open'],
})

/** A 429 or a 5xx came before the key was looked at. */
const lookElsewhere = ({ response: { status }, credential }: Answered) => {
  if (status < 300) return breach('key-accepted-elsewhere', { where: credential, got: status })
  return status === 429 || status >= 500 ? 'left-out' : undefined
}

export const keyElsewhereCheck = defineCheck({
  id: 'auth.key-elsewhere',
  promise: 'The target does not accept a key that comes only in the query or in a cookie.',
  clauses: ['AUTH-9'],
  advice: 'Check where the server takes the key from: only the Authorization header may carry it.',
  reads: ['key-elsewhere'],
  needs: { cases: 'keys sent in the query or a cookie only' },
  judge: (evidence, telling) =>
    failedControl(answersOf(evidence, 'key-elsewhere', 'control')) ??
    judgeAnswers(telling, answersOf(evidence, 'key-elsewhere', 'elsewhere'), lookElsewhere, {
      kinds: { 'the query': ['key-elsewhere'], 'a cookie': ['key-elsewhere'] },
      kindOf: ({ credential }) => (credential === 'cookie' ? 'a cookie' : 'the query'),
    }),
  sentences: {
    'key-accepted-elsewhere': (f) =>
      `a key that was sent only as ${f.where.replaceAll('-', ' ')} was accepted (${f.got})`,
  },
})

const orderKinds = Object.fromEntries(
  ['a missing key', 'an invalid key'].flatMap((key) =>
    ['a broken body', 'an unknown pet'].map((wrong) => [`${key} with ${wrong}`, ['key-before-body']]),
  ),
)

const keyFault = ({ credential }: Exchange): string => (credential === 'none' ? 'a missing key' : 'an invalid key')

const wrongBeside = ({ intent }: Exchange) => wrongBesideKey(intent.case)

export const beforeAnythingElse = defineCheck({
  id: 'auth.before-anything-else',
  promise: 'With a missing or invalid key the answer is 401, whatever is wrong with body or pet.',
  clauses: ['AUTH-5'],
  advice: 'Check the order of the middleware: the key must be checked before body and path.',
  reads: ['key-before-body'],
  needs: { cases: 'requests without a valid key, and with another mistake' },
  judge(evidence, telling) {
    const asked = answersOf(evidence, 'key-before-body', 'denied')
    // An operation that accepts the credential with nothing else wrong breaks AUTH-1, -2 or -4: order is not at fault.
    const way = ({ operation, credential }: Exchange) => `${operation} ${credential}`
    const inOrder = new Set(asked.filter((x) => wrongBeside(x) === null && x.response?.status === 401).map(way))
    const judged = asked.filter((x) => inOrder.has(way(x)) && wrongBeside(x) !== null)
    const kindOf = (x: Exchange) => `${keyFault(x)} with ${wrongBeside(x)}`
    return expectStatus(telling, judged, 401, { kinds: orderKinds, kindOf })
  },
})

const denyingProbes = ['no-key', 'bad-keys', 'key-before-body'] as const

export const deniedChangesNothing = defineCheck({
  id: 'auth.denied-changes-nothing',
  promise: 'A PATCH that gets 401 changes no entry.',
  clauses: ['AUTH-6'],
  advice: 'Check whether the write happens before the key is checked, or despite the check.',
  reads: denyingProbes,
  needs: { cases: 'PATCHes answered 401 between two readings' },
  judge: (evidence, telling) =>
    unchangedThrough(evidence, telling, {
      probes: denyingProbes,
      isRefusal: (x) => x.response?.status === 401,
      kinds: evidence.run.readOnly
        ? { 'a PATCH': 'withheld' }
        : { 'a missing key': ['no-key', 'key-before-body'], 'an invalid key': ['bad-keys', 'key-before-body'] },
      kindOf: keyFault,
    }),
})

export const challenge = defineCheck({
  id: 'auth.challenge',
  promise: 'A 401 carries WWW-Authenticate with a Bearer challenge.',
  clauses: ['AUTH-8'],
  advice: 'Check what answers a 401: it must add WWW-Authenticate: Bearer.',
  alone: bringing(401),
  needs: { cases: '401s' },
  judge(evidence, telling) {
    const denied = operationAnswers(evidence).filter((x) => x.response.status === 401)
    const look = (x: Answered) => {
      const challenges = headerValues(x.response.headers, 'WWW-Authenticate')
      if (challenges.some((each) => /(^|,)\s*bearer\b/i.test(each))) return undefined
      return breach('no-bearer-challenge', { case: nameOf(x), challenge: challenges.join(', ').slice(0, 80) || 'none' })
    }
    return judgeAnswers(telling, denied, look, { kinds: statusKinds(401), kindOf: () => '401' })
  },
  sentences: {
    'no-bearer-challenge': (f) => `a 401 (${f.case}) has no Bearer challenge; WWW-Authenticate: ${f.challenge}`,
  },
})
