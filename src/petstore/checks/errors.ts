import {
  isWhole,
  keptRefusals,
  nameOf,
  objectIn,
  objectOf,
  operationAnswers,
  readBody,
} from '../../checks/framework/answers.js'
import { defineCheck } from '../../checks/framework/check.js'
import { breach, fail, observed } from '../../checks/framework/finding.js'
import { judgeAnswers, judgeBodies } from '../../checks/framework/judge-cases.js'
import {
  bringing,
  eachOf,
  type Kinds,
  statusKinds,
  tellingCases,
  updatingProbes,
} from '../../checks/framework/needs.js'
import { errorBody, integer } from '../../contract/petstore/schemas.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../../evidence/exchange.js'
import { groupedBy } from '../../kit/grouped-by.js'
import { listInWords } from '../../kit/words.js'

const statuses = new Set([400, 401, 404])

/** The answers that have to carry an Error body. */
const errorAnswers = (evidence: Evidence): Answered[] =>
  operationAnswers(evidence).filter((x) => statuses.has(x.response.status))

/** An Error body that no operation owes, as for a method that a path lacks: sent whole, its status has to agree too. */
const isErrorElsewhere = (x: Exchange): x is Answered =>
  x.operation === null &&
  isAnswered(x) &&
  statuses.has(x.response.status) &&
  isWhole(x) &&
  errorBody.safeParse(objectOf(x)).success

export const errorBodyCheck = defineCheck({
  id: 'errors.error-body',
  promise: 'Every 400, 401 and 404 of an operation carries code and message as strings and status as an integer.',
  clauses: ['ERR-1'],
  advice: 'Check the error handler: every error needs code, message and status, of the right types.',
  alone: bringing(400, 401, 404),
  needs: { cases: '400s, 401s and 404s' },
  judge(evidence, telling) {
    const look = (x: Answered) => {
      const facts = { case: nameOf(x), status: x.response.status }
      const body = objectOf(x)
      if (!body) return breach('no-error-body', facts)
      for (const field of ['code', 'message', 'status'] as const) {
        if (!Object.hasOwn(body, field)) return breach('error-field-wrong', { ...facts, field, problem: 'is missing' })
        const fits = field === 'status' ? integer.safeParse(body[field]).success : typeof body[field] === 'string'
        const problem = field === 'status' ? 'is not an integer' : 'is not a string'
        if (!fits) return breach('error-field-wrong', { ...facts, field, problem })
      }
      return undefined
    }
    const kindOf = ({ response }: Answered) => String(response.status)
    return judgeBodies(telling, errorAnswers(evidence), look, { kinds: statusKinds(400, 401, 404), kindOf })
  },
  sentences: {
    'no-error-body': (f) => `${f.case} was answered ${f.status} without an Error body`,
    'error-field-wrong': (f) => `${f.case} was answered ${f.status} with an Error body whose ${f.field} ${f.problem}`,
  },
})

export const statusAgrees = defineCheck({
  id: 'errors.status-agrees',
  promise: 'status in an Error body equals the HTTP status.',
  clauses: ['ERR-2'],
  advice: "Check the error handler: the status in the body must come from the answer's own status.",
  alone: bringing(400, 401, 404),
  needs: { cases: 'Error bodies with a status' },
  judge(evidence, telling) {
    const look = (x: Answered) => {
      const shown = integer.safeParse(isWhole(x) ? objectOf(x)?.status : undefined)
      if (!shown.success) return 'left-out'
      const [told, { status: http }] = [String(shown.data), x.response]
      if (told !== String(http)) return breach('status-disagrees', { case: nameOf(x), http, body: told })
      return x.operation === null ? 'skip' : undefined
    }
    const kindOf = ({ response }: Answered) => String(response.status)
    const answers = [...errorAnswers(evidence), ...evidence.exchanges.filter(isErrorElsewhere)]
    return judgeAnswers(telling, answers, look, { kinds: statusKinds(400, 401, 404), kindOf })
  },
  sentences: {
    'status-disagrees': (f) => `${f.case} was answered ${f.http} with an Error body that says status ${f.body}`,
  },
})

/** A single one says nothing about what comes the next time. */
const codeKinds: Kinds = { 'the same condition twice': ['unknown-pet', 'key-before-body', 'model-walk'] }

export const codeForMachines = defineCheck({
  id: 'errors.code-for-machines',
  promise: 'code is not empty, and is the same whenever the same request meets the same condition.',
  clauses: ['ERR-3'],
  advice: 'Check where error codes come from: one fixed code for each condition, never empty and never generated.',
  alone: [...bringing(400, 401, 404), ...eachOf('key-before-body', 'model-walk')],
  needs: { cases: 'Error bodies' },
  judge(evidence, telling) {
    const answers = errorAnswers(evidence)
    const coded = answers.flatMap((x) => {
      const code = isWhole(x) ? objectOf(x)?.code : undefined
      return typeof code === 'string' ? [{ x, code }] : []
    })
    const empty = coded.find(({ code }) => code.trim() === '')
    if (empty) return fail('code-empty', { status: empty.x.response.status }, empty.x)
    const byCondition = groupedBy(coded, ({ x: { probe, step, credential, operation, request, response } }) => {
      // A 400 is about the body: a key that should have been rejected lets several bodies be judged in one step.
      const body = response.status === 400 ? request.body?.content : ''
      return `${probe} ${step} ${credential} ${operation} ${response.status} ${body}`
    })
    for (const group of byCondition.values()) {
      // Bodies that are wrong in different ways may have different codes; an unknown pet is always the same condition.
      const isOfOne = !['invalid', 'lacking', 'loose'].includes(group[0].x.step)
      for (const [i, { x }] of group.entries())
        telling.add(x, isOfOne && i > 0 ? 'the same condition twice' : undefined)
      if (!isOfOne) continue
      const codes = [...new Set(group.map(({ code }) => code))]
      if (codes.length > 1) {
        const condition = `${group[0].x.operation} answered ${group[0].x.response.status}`
        const shown = codes.slice(0, 3).flatMap((each) => group.find(({ code }) => code === each)?.x ?? [])
        return fail('code-differs', { condition, codes: codes.slice(0, 5) }, ...shown)
      }
    }
    return telling.conclude({ kinds: codeKinds, leftOut: answers.length - coded.length })
  },
  sentences: {
    'code-empty': ({ status }) => `the code in the Error body of a ${status} is empty`,
    'code-differs': (f) => `${f.condition} with different codes for one condition: ${listInWords(f.codes)}`,
  },
})

/** A line of a stack trace in one of the common languages, or the path of a source file. */
const innerWorkings =
  /(\bat [\w.<>$ ]+ \((?:file:\/\/|node:|\/|[A-Z]:\\)[^)]*\)|\bTraceback \(most recent call last\)|\bgoroutine \d+ \[|\bat [\w.$]+\([\w]+\.java:\d+\)|(?:file:\/\/)?\/(?:[\w.@-]+\/)+[\w.-]+\.(?:js|ts|mjs|cjs|py|rb|go|java|php|rs)\b(?::\d+)?|[A-Z]:\\(?:[\w.-]+\\)+[\w.-]+\.\w+)/

/** The probes that send single requests, valid and not: any of them may hit a target's weak spot. */
const inputProbes: readonly ProbeId[] = [
  ...updatingProbes,
  'header-row',
  'no-key',
  'bad-keys',
  'key-before-body',
  'scheme-case',
  'key-elsewhere',
  'loose-requests',
  'other-operations',
  'unknown-path',
  'hard-input',
]

export const noServerError = defineCheck({
  id: 'errors.no-server-error',
  promise: 'No input causes a 5xx, and no error shows a stack trace or a file path.',
  clauses: ['ERR-5'],
  advice: "Check the server's log for this request: the input is not caught before it breaks something.",
  alone: eachOf(...inputProbes),
  needs: { cases: 'answers' },
  judge(evidence, telling) {
    return judgeAnswers(telling, evidence.exchanges.filter(isAnswered), (x) => {
      const { status, body } = x.response
      // 501 and 505 say that a method or a version is not supported: an honest refusal, no breakdown.
      if (status >= 500 && status !== 501 && status !== 505)
        return breach('server-error', { case: nameOf(x), got: status })
      const shown = status >= 400 && body.encoding === 'utf8' ? innerWorkings.exec(body.content)?.[0] : undefined
      if (shown !== undefined) return breach('inner-workings-shown', { case: nameOf(x), shown: shown.slice(0, 80) })
      return status >= 400 && !isWhole(x) ? 'left-out' : undefined
    })
  },
  sentences: {
    'server-error': (f) => `${f.case} was answered ${f.got}`,
    'inner-workings-shown': (f) => `the error answer to ${f.case} shows ${f.shown}`,
  },
})

export const refusalBody = defineCheck({
  id: 'errors.refusal-body',
  promise: 'The report says whether a 429 carries an Error body.',
  clauses: ['ERR-4'],
  alone: bringing(429),
  judge(evidence) {
    const [refusal] = keptRefusals(evidence)
    if (!refusal) return tellingCases(evidence, { cases: '429s' }).conclude({ kinds: statusKinds(429) })
    const { body } = refusal
    const seen = (form: string, statusAgrees: boolean | null = null) =>
      observed('refusal-body', { form, statusAgrees }, refusal.witness)
    if (body.coding === 'unreadable') return seen('a body in a coding that nobody can read')
    const object = objectIn(readBody(body))
    const parsed = errorBody.safeParse(object)
    if (parsed.success) return seen('an Error body', parsed.data.status === 429n)
    return seen(body.bytes === 0 ? 'no body' : object ? 'another JSON object' : 'another body')
  },
  sentences: {
    'refusal-body': (f) => `a 429 carries ${f.form}${f.statusAgrees === false ? ', whose status is not 429' : ''}`,
  },
})
