import { isResetOptional } from '../../contract/api-contract.js'
import { singleFields } from '../../contract/clauses.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { noLongerLimit, planName } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, headerValues } from '../../evidence/exchange.js'
import { count, listInWords } from '../../kit/words.js'
import { numberOf } from '../../readings/limit-values.js'
import { viewOf } from '../../readings/quota-views.js'
import { type RateReading, saidBy } from '../../readings/readings.js'
import { nameOf, operationAnswers } from '../framework/answers.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeAnswers, judgeReadings } from '../framework/judge-cases.js'
import { bringing, ratedStatuses } from '../framework/needs.js'
import { spentAgainForRefusals } from '../framework/spent-again.js'
import { fieldNames, notInteger, shownParts } from './field-names.js'

const repeatedField = ({ response }: Answered, names: readonly string[]) =>
  names
    .map((header) => ({ header, times: headerValues(response.headers, header).length }))
    .find(({ times }) => times > 1)

export const headersPresent = defineCheck({
  id: 'rate.headers-present',
  promise: 'Every response of an operation carries X-RateLimit-Limit, -Remaining and -Reset.',
  clauses: ['RATE-1'],
  advice: "Check which answers pass the limiter's middleware: errors and refusals need the headers too.",
  alone: bringing(200, 400, 401, 404, 429),
  needs: { cases: 'answers with the three headers' },
  again: spentAgainForRefusals,
  judge(evidence, telling) {
    const always = fieldNames(evidence)
    const onRefusals = fieldNames(evidence, 429)
    const isOptional = isResetOptional(contractOf(evidence.run))
    return judgeReadings(
      evidence,
      telling,
      ({ status, headers }) => {
        const missing = shownParts.flatMap((each) => {
          const name = (status === 429 ? onRefusals : always)[each]
          const isMissing = headers[each].state === 'absent' && !headers.showsAnother
          return name !== undefined && isMissing && !(isOptional && each === 'reset') ? [name] : []
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

/** How far off a shown window may be, in ms: by rounding to three decimals, or to seconds if it is not whole seconds. */
const windowErrorMs = (windowMs: number): number => (windowMs % 1000 === 0 ? 0.5 : 1000)

/**
 * Compares the policy that an answer names with the quota's limit and window. A bucket may name its refill in the
 * quota's window, or its capacity in the time that it takes to fill. Another quota's window tells nothing.
 */
const policyBreach = (evidence: Evidence) => {
  const { quota: held, windowMs: wholeMs, beside } = viewOf(evidence)
  const { timeScale } = evidence.run
  const windowMs = held.windowMs / timeScale
  const isWindow = (seconds: number, ms: number) => Math.abs(seconds * 1000 - ms) <= windowErrorMs(ms)
  return ({ headers: { policy } }: RateReading, { plan, quota }: Evidence['run']['keys'][number]) => {
    const shown = policy && numberOf(policy.quota)
    const seconds = policy?.window
    if (shown === undefined || seconds === undefined) return undefined
    const limits = [quota.limit, ...(held.burst === undefined ? [] : Object.values(held.limit))]
    const isOwn = isWindow(seconds, windowMs) || (held.burst === shown && isWindow(seconds, wholeMs))
    if (isOwn && limits.includes(shown)) return undefined
    if (!isOwn && beside.some((other) => isWindow(seconds, other.windowMs / timeScale))) return undefined
    return breach('policy-not-as-agreed', { shown, seconds, plan, agreed: quota.limit, window: wholeMs / 1000 })
  }
}

export const limitOfPlan = defineCheck({
  id: 'rate.limit-of-plan',
  promise: "X-RateLimit-Limit is an integer, and one of the plan's two limits.",
  clauses: ['RATE-2'],
  advice: "Check how the server finds a key's plan, and which of the plan's limits the header shows.",
  alone: [],
  needs: { cases: 'answers to a key whose plan is known' },
  judge(evidence, telling) {
    const { quota: held } = viewOf(evidence)
    const keys = new Map(evidence.run.keys.map((key) => [key.name, key]))
    const kinds = Object.fromEntries(evidence.run.keys.map(({ plan }) => [plan, []]))
    const kindOf = ({ key }: RateReading) => (key === null ? undefined : keys.get(key)?.plan)
    const otherPolicy = policyBreach(evidence)
    const look = (reading: RateReading) => {
      const {
        key,
        status,
        headers: { limit },
      } = reading
      if (limit.state === 'absent') return 'skip'
      if (limit.state === 'malformed' || !Number.isInteger(limit.value))
        return notInteger(evidence, 'limit', limit.text, status)
      const known = key === null ? undefined : keys.get(key)
      if (!known) return undefined
      const { plan, quota } = known
      // A bucket may show either its capacity or its refill.
      const agreed = [quota.limit, quota.longer, ...(held.burst === undefined ? [] : Object.values(held.limit))]
      if (agreed.includes(limit.value)) return otherPolicy(reading, known)
      if (quota.longer === noLongerLimit)
        return breach('limit-not-as-agreed', { shown: limit.value, plan, agreed: quota.limit })
      return breach('limit-of-no-window', { shown: limit.value, plan, minute: quota.limit, day: quota.longer })
    }
    return judgeReadings(evidence, telling, look, { kinds, kindOf })
  },
  sentences: {
    'limit-not-as-agreed': (f) => `the headers show ${f.plan} a limit of ${f.shown}; the contract says ${f.agreed}`,
    'policy-not-as-agreed': (f) =>
      `the headers show ${f.plan} a policy of ${count(f.shown)} in ${f.seconds} s; the contract says ${count(f.agreed)} in ${f.window} s`,
    'limit-of-no-window': (f) =>
      `X-RateLimit-Limit on the ${planName(f.plan)} key is ${f.shown}, neither ${count(f.minute)} a minute nor ${count(f.day)} a day`,
  },
})

export const plainHeaders = defineCheck({
  id: 'rate.plain-headers',
  promise: 'Each of the three headers appears once; Limit and Reset are plain decimal integers.',
  clauses: ['RATE-7'],
  of: 'petstore',
  advice: 'Check who writes the headers: a gateway may add its own, and numbers must be plain integers.',
  alone: [['header-row'], ...bringing(400, 401, 404)],
  needs: { cases: 'answers with the three headers' },
  judge(evidence, telling) {
    const named = fieldNames(evidence)
    return judgeAnswers(telling, operationAnswers(evidence), (x) => {
      const repeated = repeatedField(x, Object.values(named))
      if (repeated)
        return breach('header-more-than-once', { header: repeated.header, case: nameOf(x), times: repeated.times })
      const said = saidBy(evidence, x)
      for (const part of ['limit', 'reset'] as const) {
        const [header = part, value] = [named[part], said[part]]
        const isOdd = value.state === 'malformed' || (value.state === 'number' && !value.plain)
        if (isOdd) return breach('header-not-plain', { header, case: nameOf(x), text: value.text })
      }
      const isOperations = x.response.status < 500
      return isOperations && shownParts.every((part) => said[part].state !== 'absent') ? undefined : 'left-out'
    })
  },
  sentences: {
    'header-more-than-once': (f) => `${f.header} appears ${f.times} times on ${f.case}`,
    'header-not-plain': (f) => `${f.header} on ${f.case} is ${f.text}, not a plain decimal integer`,
  },
})

/** The names of those fields, without any that the contract lists twice: each may be another quota's. */
const singleNames = ({ run }: Evidence): string[] => {
  const contract = contractOf(run)
  const timesNamed = (name: string) =>
    contract.headers.filter((each) => each.name.toLowerCase() === name.toLowerCase()).length
  return singleFields(contract).flatMap(({ name }) => (timesNamed(name) === 1 ? [name] : []))
}

export const fieldsOnce = defineCheck({
  id: 'rate.fields-once',
  promise: 'Each header that holds one value comes once.',
  clauses: ['RATE-7'],
  of: 'contract-file',
  advice: 'Check who writes the field: a gateway and the service may both add it.',
  alone: [['header-row']],
  needs: { cases: 'answers with the fields' },
  judge(evidence, telling) {
    const names = singleNames(evidence)
    return judgeAnswers(telling, operationAnswers(evidence), (x) => {
      const repeated = repeatedField(x, names)
      if (repeated) return breach('field-more-than-once', { ...repeated, case: nameOf(x) })
      return names.some((name) => headerValues(x.response.headers, name).length > 0) ? undefined : 'left-out'
    })
  },
  sentences: {
    'field-more-than-once': (f) => `${f.header} comes ${f.times} times on ${f.case}`,
  },
})
