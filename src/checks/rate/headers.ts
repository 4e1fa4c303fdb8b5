import type { HeaderField } from '../../contract/api-contract.js'
import { noLongerLimit, planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { headerValues } from '../../evidence/exchange.js'
import { count, listInWords } from '../../kit/words.js'
import { viewOf } from '../../readings/quota-views.js'
import { type RateReading, saidBy } from '../../readings/readings.js'
import { nameOf, operationAnswers } from '../framework/answers.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeAnswers, judgeReadings } from '../framework/judge-cases.js'
import { bringing, ratedStatuses } from '../framework/needs.js'
import { spentAgainForRefusals } from '../framework/spent-again.js'
import { fieldNames } from './field-names.js'

const presentNeeds = { cases: 'answers with the three headers', least: 1 }

export const headersPresent = defineCheck({
  id: 'rate.headers-present',
  promise: 'Every response of an operation carries X-RateLimit-Limit, -Remaining and -Reset.',
  clauses: ['RATE-1'],
  advice: "Look at which answers pass the limiter's middleware: errors and refusals need the headers too.",
  reads: 'everything',
  alone: bringing(200, 400, 401, 404, 429),
  needs: presentNeeds,
  again: spentAgainForRefusals,
  judge(evidence) {
    const names = fieldNames(evidence)
    return judgeReadings(
      evidence,
      presentNeeds,
      ({ status, headers }) => {
        const missing = (['limit', 'remaining', 'reset'] as const).flatMap((each) => {
          const name = names[each]
          return name !== undefined && headers[each].state === 'absent' ? [name] : []
        })
        return missing.length === 0
          ? undefined
          : breach('rate-headers-missing', { status, missing: [...new Set(missing)] })
      },
      { kinds: ratedStatuses(evidence), kindOf: ({ status }) => String(status) },
    )
  },
  sentences: {
    'rate-headers-missing': (f) => `a ${f.status} came without ${listInWords(f.missing)}`,
  },
})

const limitNeeds = { cases: 'answers to a key whose plan is known', least: 1 }

export const limitOfPlan = defineCheck({
  id: 'rate.limit-of-plan',
  promise: "X-RateLimit-Limit is an integer, and one of the plan's two limits.",
  clauses: ['RATE-2'],
  advice: "Look at how a key is turned into its plan, and which of the plan's limits the header shows.",
  reads: 'everything',
  alone: [],
  needs: limitNeeds,
  judge(evidence) {
    const { quota: held } = viewOf(evidence)
    const keys = new Map(evidence.run.keys.map((key) => [key.name, key]))
    const kinds = Object.fromEntries(evidence.run.keys.map(({ plan }) => [plan, []]))
    const kindOf = ({ key }: RateReading) => (key === null ? undefined : keys.get(key)?.plan)
    const look = ({ key, status, headers: { limit } }: RateReading) => {
      if (limit.state === 'absent') return 'skip'
      if (limit.state === 'malformed' || !Number.isInteger(limit.value)) {
        return breach('header-is-no-integer', {
          header: fieldNames(evidence).limit ?? 'Limit',
          text: limit.text,
          status,
        })
      }
      const known = key === null ? undefined : keys.get(key)
      if (!known) return undefined
      const { plan, quota } = known
      if (limit.value === quota.limit || limit.value === quota.longer) return undefined
      // Of a bucket either may be shown: what it holds, or what flows in.
      if (held.burst !== undefined && Object.values(held.limit).includes(limit.value)) return undefined
      if (quota.longer === noLongerLimit)
        return breach('limit-not-as-agreed', { shown: limit.value, plan, agreed: quota.limit })
      return breach('limit-of-no-window', { shown: limit.value, plan, minute: quota.limit, day: quota.longer })
    }
    return judgeReadings(evidence, limitNeeds, look, { kinds, kindOf })
  },
  sentences: {
    'limit-not-as-agreed': (f) => `to ${f.plan} the limit is shown as ${f.shown}, where ${f.agreed} is agreed`,
    'limit-of-no-window': (f) =>
      `X-RateLimit-Limit on the ${planName(f.plan)} key is ${f.shown}, neither ${count(f.minute)} a minute nor ${count(f.day)} a day`,
  },
})

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const plainNeeds = { cases: 'answers with the three headers', least: 1 }

export const plainHeaders = defineCheck({
  id: 'rate.plain-headers',
  promise: 'Each of the three headers appears once; Limit and Reset are plain decimal integers.',
  clauses: ['RATE-7'],
  of: 'petstore',
  advice: 'Look at who writes the headers: a gateway may add its own, and numbers must stay plain.',
  reads: 'everything',
  alone: [['header-row'], ...bringing(400, 401, 404)],
  needs: plainNeeds,
  judge: (evidence) =>
    judgeAnswers(evidence, operationAnswers(evidence), plainNeeds, (x) => {
      for (const header of names) {
        const times = headerValues(x.response.headers, header).length
        if (times > 1) return breach('header-more-than-once', { header, case: nameOf(x), times })
      }
      const { limit, remaining, reset } = saidBy(evidence, x)
      for (const [header, value] of [
        ['X-RateLimit-Limit', limit],
        ['X-RateLimit-Reset', reset],
      ] as const) {
        const isOdd = value.state === 'malformed' || (value.state === 'number' && !value.plain)
        if (isOdd) return breach('header-not-plain', { header, case: nameOf(x), text: value.text })
      }
      const isOperations = x.response.status < 500
      return isOperations && [limit, remaining, reset].every(({ state }) => state !== 'absent') ? undefined : 'left-out'
    }),
  sentences: {
    'header-more-than-once': (f) => `${f.header} appears ${f.times} times on ${f.case}`,
    'header-not-plain': (f) => `${f.header} on ${f.case} is ${f.text}, no plain decimal integer`,
  },
})

/** Fields that are no list, so that a second line says nothing more (RFC 9110 §5.3). */
const single: ReadonlySet<HeaderField['is']> = new Set(['limit', 'remaining', 'used', 'used/limit', 'reset'])

/** The names of such fields; not those that the contract itself has more than once, for then each may be another quota's. */
const singleNames = ({ run }: Evidence): string[] => {
  const fields = run.contract?.headers ?? []
  const timesNamed = (name: string) => fields.filter((each) => each.name.toLowerCase() === name.toLowerCase()).length
  return fields.filter(({ is, name }) => single.has(is) && timesNamed(name) === 1).map(({ name }) => name)
}

const onceNeeds = { cases: 'answers with the fields', least: 1 }

export const fieldsOnce = defineCheck({
  id: 'rate.fields-once',
  promise: 'Each field that holds one value comes once.',
  clauses: ['RATE-7'],
  of: 'contract-file',
  advice: 'Look at who writes the field: a gateway and the service may both add it.',
  reads: 'everything',
  alone: [['header-row']],
  needs: onceNeeds,
  judge(evidence) {
    const names = singleNames(evidence)
    return judgeAnswers(evidence, operationAnswers(evidence), onceNeeds, (x) => {
      const times = names.map((header) => ({ header, times: headerValues(x.response.headers, header).length }))
      const repeated = times.find((each) => each.times > 1)
      if (repeated) return breach('field-more-than-once', { ...repeated, case: nameOf(x) })
      return times.some((each) => each.times === 1) ? undefined : 'left-out'
    })
  },
  sentences: {
    'field-more-than-once': (f) => `${f.header} comes ${f.times} times on ${f.case}`,
  },
})
