import { isWhole, jsonOf, nameOf, operationAnswers } from '../../checks/framework/answers.js'
import { defineCheck } from '../../checks/framework/check.js'
import { breach, fail, inconclusive, observed } from '../../checks/framework/finding.js'
import { judgeAnswers, judgeBodies } from '../../checks/framework/judge-cases.js'
import { bringing, nothingTold, operationKinds, operationOf } from '../../checks/framework/needs.js'
import { answersOf } from '../../evidence/evidence.js'
import { type Answered, headerValues, isAnswered } from '../../evidence/exchange.js'
import { listInWords } from '../../kit/words.js'
import { openCheck } from './shapes.js'

export const versionPrefix = defineCheck({
  id: 'base.version-prefix',
  promise: 'The operations answer under a base address whose path ends with /v1.',
  clauses: ['BASE-2'],
  advice: 'Check where the routes are mounted: under a base path that ends with /v1.',
  reads: ['hello'],
  needs: { cases: 'lists that could be read' },
  judge(evidence, telling) {
    const { baseUrl } = evidence.run
    if (!new URL(baseUrl).pathname.replace(/\/$/, '').endsWith('/v1')) return fail('base-without-v1', { baseUrl })
    const served = evidence.exchanges.filter(
      (x) => isAnswered(x) && x.operation === 'listInventory' && x.response.status === 200,
    )
    if (served.length === 0) return inconclusive('base-serves-nothing', { baseUrl })
    // A page that is sent for any request is no answer of an operation.
    for (const x of served) if (isAnswered(x) && isWhole(x) && jsonOf(x).ok) telling.add(x)
    return telling.conclude({ leftOut: served.length - telling.count })
  },
  sentences: {
    'base-without-v1': ({ baseUrl }) => `the base address ${baseUrl} does not end with /v1`,
    'base-serves-nothing': ({ baseUrl }) => `nothing under ${baseUrl} answered 200`,
  },
})

const judgedStatuses = new Set([200, 400, 401, 404])

/** The two operations whose answers are not shown may answer with no body at all. */
const shapeIsShown = new Set(['listInventory', 'updateInventory'])

export const jsonBodies = defineCheck({
  id: 'base.json-bodies',
  promise: 'Bodies of operations are declared as application/json and parse as UTF-8 JSON.',
  clauses: ['BASE-1'],
  advice: 'Check how bodies are written: UTF-8 JSON, with Content-Type: application/json, error answers included.',
  alone: [['read-write-read'], ['other-operations'], ...bringing(400, 401, 404)],
  needs: { cases: 'bodies of operations' },
  judge(evidence, telling) {
    const judged = operationAnswers(evidence).filter(
      (x) =>
        judgedStatuses.has(x.response.status) &&
        (x.response.status !== 200 || x.response.body.bytes > 0 || shapeIsShown.has(x.operation ?? '')),
    )
    return judgeBodies(telling, judged, (x) => {
      const [contentType = 'none'] = headerValues(x.response.headers, 'Content-Type')
      const facts = { case: nameOf(x), status: x.response.status }
      if (!/^application\/json\s*(;|$)/i.test(contentType))
        return breach('not-declared-as-json', { ...facts, contentType })
      const reading = jsonOf(x)
      if (reading.ok || reading.reason === 'too-deep') return undefined
      return breach('body-is-not-json', { ...facts, detail: reading.detail })
    })
  },
  sentences: {
    'not-declared-as-json': (f) => `${f.case} was answered ${f.status} with Content-Type ${f.contentType}`,
    'body-is-not-json': (f) => `${f.case} was answered ${f.status} with a body that is not JSON: ${f.detail}`,
  },
})

/** Deprecation with a date (or true, as in drafts), or a Sunset; false or an empty value marks nothing (RFC 9745). */
const isMarked = ({ response: { headers } }: Answered): boolean =>
  headerValues(headers, 'Deprecation').some((value) => !/^\s*(?:false|\?0)?\s*$/i.test(value)) ||
  headerValues(headers, 'Sunset').some((value) => value.trim() !== '')

export const deprecation = defineCheck({
  id: 'versioning.deprecation',
  promise: 'GET /pets/{petId} carries a Deprecation or a Sunset header.',
  clauses: ['VER-1'],
  advice: 'Check the old operation: it must carry a Deprecation or a Sunset header.',
  reads: ['other-operations'],
  needs: { cases: 'answers of GET /pets/{petId} to a valid key' },
  judge(evidence, telling) {
    const asked = (['with-key', 'again'] as const).flatMap((step) => answersOf(evidence, 'other-operations', step))
    // A limiter or a gateway before the operation does not know that it is deprecated.
    const answered = asked.filter(
      (x): x is Answered =>
        x.operation === 'getPet' && isAnswered(x) && x.response.status !== 429 && x.response.status < 500,
    )
    if (answered.length === 0) return nothingTold(telling.cases)
    const unmarked = answered.find((x) => !isMarked(x))
    if (unmarked) return fail('deprecation-not-marked', { status: unmarked.response.status }, unmarked)
    telling.add(answered[0])
    return telling.conclude()
  },
  sentences: {
    'deprecation-not-marked': ({ status }) => `GET /pets/{petId} (${status}) carries neither Deprecation nor Sunset`,
  },
})

export const stability = defineCheck({
  id: 'versioning.stability',
  promise: 'The report says how stability markers show.',
  clauses: ['VER-2'],
  alone: [['header-row']],
  judge(evidence) {
    const answers = operationAnswers(evidence)
    if (answers.length === 0) return nothingTold('answers of operations')
    const telling = answers.flatMap(({ response }) =>
      response.headers.flatMap(([name, value]) =>
        /stability|experimental|beta/i.test(`${name}: ${value}`) ? [`${name}: ${value}`.slice(0, 80)] : [],
      ),
    )
    return observed('stability-shown', { headers: [...new Set(telling)].slice(0, 5) }, answers[0])
  },
  sentences: {
    'stability-shown': ({ headers }) =>
      headers.length === 0 ? 'no header mentions stability' : `shown by ${listInWords(headers)}`,
  },
})

export const operationsExist = defineCheck({
  id: 'inventory.operations-exist',
  promise: 'GET /pets/{petId} and GET /store/orders exist: without a key they answer 401.',
  clauses: ['INV-9'],
  advice: 'Check that these routes are deployed, behind the same check of the key.',
  reads: ['no-key'],
  needs: { cases: 'requests without a key' },
  judge(evidence, telling) {
    const asked = answersOf(evidence, 'no-key', 'without').filter(
      (x) => x.operation === 'getPet' || x.operation === 'listOrders',
    )
    const look = (x: Answered) => {
      const { status } = x.response
      if ([404, 405, 501].includes(status)) return breach('operation-missing', { case: nameOf(x), got: status })
      // Any other answer of the operation shows that it exists; AUTH-1 judges whether it is the right one. A 429 or a
      // 5xx comes from before it: a limit on strangers, or a broken server.
      return status === 429 || status >= 500 ? 'left-out' : undefined
    }
    const kinds = operationKinds(evidence, 'no-key', ['getPet', 'listOrders'])
    return judgeAnswers(telling, asked, look, { kinds, kindOf: operationOf })
  },
  sentences: {
    'operation-missing': (f) => `${f.case} without a key was answered ${f.got}: it does not exist`,
  },
})

export const otherOperationsCheck = openCheck({
  id: 'inventory.other-operations',
  promise: 'The report says what the operations without a documented shape answer.',
  clauses: ['INV-12'],
  asks: ['other-operations', 'with-key'],
})

export const looseRequestsCheck = openCheck({
  id: 'inventory.loose-requests',
  promise: 'The report lists answers to requests that the interface leaves open.',
  clauses: ['INV-11'],
  asks: ['loose-requests', 'loose'],
})

export const unknownPathCheck = openCheck({
  id: 'errors.unknown-path',
  promise: 'The report says how an unknown path and an undeclared method are answered.',
  clauses: ['ERR-6'],
  asks: ['unknown-path', 'unknown'],
})
