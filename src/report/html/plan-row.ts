import { planName } from '../../contract/plans.js'
import { openedInWords } from '../../contract/request-spellings.js'
import { count } from '../../kit/words.js'
import type { Verdict } from '../../verdict/verdict.js'
import { clip } from '../escape.js'
import { failures, plansOfFinding } from '../findings.js'
import type { CheckRow, QuotaRow, Report } from '../model.js'
import {
  besideLimitInWords,
  breachCount,
  brokenPlansOf,
  fitsLimit,
  inAllInWords,
  limitInWords,
  limitSource,
  openedSpellings,
  quotaName,
  subjectOf,
  toldCounts,
  waivedInWords,
} from '../quotas.js'
import { anchor, type Html, html, unbrokenIds } from './markup.js'

/** The failing rules of a plan that keeps or fits its limit: about headers, refusals and waits, the gravest first. */
export const brokenRules = (report: Report, quota: QuotaRow): CheckRow[] => {
  if (!fitsLimit(quota)) return []
  const byId = new Map(report.exchanges.map((x) => [x.id, x]))
  return failures(report).filter(
    (check) =>
      /^(RATE|QUOTA|THROTTLE)-/.test(check.clauses[0] ?? '') &&
      plansOfFinding(report, check, byId).includes(quota.plan),
  )
}

/** The same in a few words, for clauses about a plan's own limiter. */
const onPlan: Readonly<Record<string, string>> = {
  'RATE-1': 'rate-limit headers are missing',
  'RATE-2': 'the headers show another limit',
  'RATE-3': 'Remaining is out of range',
  'RATE-4': 'Remaining is wrong',
  'RATE-5': 'Reset is not the end of a window',
  'RATE-6': 'Reset is too early',
  'RATE-7': 'rate-limit headers are malformed',
  'QUOTA-3': 'its daily limit is not kept',
  'QUOTA-4': 'it shares its quota with another plan',
  'QUOTA-5': 'its quota is not the agreed one',
  'QUOTA-6': 'other spellings get past it',
  'THROTTLE-1': 'it does not refuse with a 429 at once',
  'THROTTLE-2': 'Retry-After is missing',
  'THROTTLE-3': 'Retry-After has no valid form',
  'THROTTLE-4': 'Retry-After is too short',
  'THROTTLE-5': 'Retry-After is too long',
  'THROTTLE-6': 'it bans or starves clients that wait as told',
  'THROTTLE-7': 'a block is not as long as agreed',
  'THROTTLE-8': 'its refusals may be cached',
}

/** What is wrong with a plan that otherwise keeps its limit; `undefined` for a clause that is not about plans. */
const brokenOnPlan = (clauseId: string): string | undefined =>
  Object.hasOwn(onPlan, clauseId) ? onPlan[clauseId] : undefined

/** The same in words, each with the id of its rule. */
export const butView = (rules: readonly CheckRow[]): Html =>
  html`${rules.map((check) => {
    const [id = ''] = check.clauses
    const opened = openedSpellings(check)
    const told = opened.length > 0 ? openedInWords(opened) : `but ${brokenOnPlan(id) ?? 'a rule is broken'}`
    return html`<span class="plan-but">${told}: ${id}</span>`
  })}`

const longestReason = 160

const sides = { 'QUOTA-1': 'Admits too much', 'QUOTA-2': 'Refuses too early' } as const

const sideOf = (report: Report, { plan, breach }: QuotaRow): string => {
  if (breach) return sides[breach.kind === 'over-admission' ? 'QUOTA-1' : 'QUOTA-2']
  const clause = (['QUOTA-1', 'QUOTA-2'] as const).find((id) =>
    report.checks.some(
      (check) =>
        check.verdict === 'fail' &&
        check.clauses.includes(id) &&
        brokenPlansOf(check).some((broken) => broken.plan === plan),
    ),
  )
  return clause ? sides[clause] : 'Breaks its limit'
}

/** The result for a plan's quota, in a few words. */
export const quotaWord = (report: Report, quota: QuotaRow): string => {
  if (fitsLimit(quota)) {
    if (brokenRules(report, quota).some((check) => openedSpellings(check).length > 0)) return 'Can be bypassed'
    if (quota.unproven === 'never-refused') return 'Within its limit; never refused'
    return quota.unproven === undefined ? 'Keeps its limit' : 'Within its limit; its rules were not tested'
  }
  if (quota.verdict === 'fail') return sideOf(report, quota)
  return quota.verdict === 'not-tested' ? 'Not tested' : 'Inconclusive'
}

/** A quota's name for people: `Free`, or `user (core)`. */
export const quotaTitle = (quota: QuotaRow): string =>
  quota.window === 'day' ? quotaName({ ...quota, plan: planName(quota.plan) }, ', ') : planName(quota.plan)

const detailOf = (report: Report, quota: QuotaRow): string => {
  const inAll = inAllInWords(report, quota)
  const { sent, admitted, refused } = toldCounts(quota)
  // A burst across the edge of two windows may rightly have more admitted than one window allows.
  if (fitsLimit(quota) && !inAll && admitted > quota.limit) return 'Every answer fits its limit'
  if (fitsLimit(quota)) {
    const untested = quota.unproven === 'rules-not-tested' && quota.reason
    // Fewer than the limit would look like an early refusal.
    const beside = inAll ? undefined : besideLimitInWords(quota)
    return `${count(admitted)} admitted of ${count(sent)} sent${inAll ? ` ${inAll}` : ''}, ${count(refused)} refused${beside ? `; ${beside}` : ''}${untested ? `. ${untested}` : ''}`
  }
  if (quota.verdict !== 'fail') return clip(quota.reason ?? '', longestReason)
  return breachCount(quota) ?? clip(quota.diagnosis === null ? '' : `Looks like ${quota.diagnosis}`, longestReason)
}

/** The mark of a plan: a failure unless waived; a failing rule next to a kept limit is a failure too. */
export const cardMark = (report: Report, quota: QuotaRow, isButBroken: boolean): Verdict | 'waived' => {
  if (isButBroken) return 'fail'
  return waivedInWords(report, quota) === undefined ? quota.verdict : 'waived'
}

/** The shape of a verdict or waived failure, as tall as a word; its word is next to it. */
const largeMark = (mark: Verdict | 'waived'): Html =>
  html`<svg class="large-mark" aria-hidden="true" viewBox="0 0 16 16"><use href="#icon-${mark}"/></svg>`

const card = (report: Report, quota: QuotaRow): Html => {
  const rules = brokenRules(report, quota)
  const verdict = cardMark(report, quota, rules.length > 0)
  const waived = waivedInWords(report, quota)
  return html`<li><a class="plan-card ${verdict}${rules.length > 0 && ' but'}" href="#${anchor('plan', quota.plan)}">${largeMark(verdict)}<span class="plan-name">${quotaTitle(quota)}</span><span class="plan-word">${quotaWord(report, quota)}</span>${butView(rules)}${waived !== undefined && html`<span class="plan-waived">${unbrokenIds(waived)}</span>`}<span class="plan-limit">${unbrokenIds(`${limitInWords(quota)}${limitSource(report, quota)}`)}</span><span class="plan-detail">${unbrokenIds(detailOf(report, quota))}</span></a></li>`
}

/** The plans at a glance, each with one large mark; nothing if the run loaded none. */
export const planRow = (report: Report): Html | false =>
  report.quotas.length > 0 &&
  html`<section id="glance" aria-labelledby="glance-title"><h2 id="glance-title" class="for-readers">${subjectOf(report).many} at a glance</h2><ul class="plan-row">${report.quotas.map((quota) => card(report, quota))}</ul></section>`
