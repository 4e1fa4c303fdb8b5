import { brokenOnPlan } from '../../../contract/clause-words.js'
import { openedInWords } from '../../../contract/request-spellings.js'
import type { CheckRow, QuotaRow, Report } from '../../model.js'
import { failures } from '../../summary.js'
import { plansOfFinding } from '../../wording/plans-of-finding.js'
import { openedSpellings } from '../../wording/quota-breach.js'
import { fitsLimit } from '../../wording/quota-standing.js'
import { type Html, html } from './tag.js'

/** The rules of its own that fail on a plan which keeps or fits its limit: of headers, refusals and waits, the gravest first. */
export const brokenRules = (report: Report, quota: QuotaRow): CheckRow[] => {
  if (!fitsLimit(quota)) return []
  const byId = new Map(report.exchanges.map((x) => [x.id, x]))
  return failures(report).filter(
    (check) =>
      /^(RATE|QUOTA|THROTTLE)-/.test(check.clauses[0] ?? '') &&
      plansOfFinding(report, check, byId).includes(quota.plan),
  )
}

/** Whether what fails is that the plan's limit can be got around, so that to keep it says little. */
export const isGotAround = (rules: readonly CheckRow[]): boolean =>
  rules.some((check) => openedSpellings(check).length > 0)

/** The same in words, each with the id of its rule. */
export const butView = (rules: readonly CheckRow[]): Html =>
  html`${rules.map((check) => {
    const [id = ''] = check.clauses
    const opened = openedSpellings(check)
    const told = opened.length > 0 ? openedInWords(opened) : `but ${brokenOnPlan(id) ?? 'a rule is broken'}`
    return html`<span class="plan-but">${told}: ${id}</span>`
  })}`
