import { clip, visible } from '../../escape.js'
import type { CheckRow, Report, WitnessRow } from '../../model.js'
import { namesHeader } from '../../wording/names-header.js'
import { breachFirst, exactMoment, stepsOf, storyOf } from '../../wording/proof-stories.js'
import { brokenPlansOf } from '../../wording/quota-breach.js'

/** The most that is shown of a path, and of a header's value. */
const longestPath = 120
const longestValue = 60

/** Headers of a quota, whatever an API calls them. */
const ofQuota = /rate-?limit|retry-after|remaining|reset/i

const matters = ({ message }: CheckRow, name: string): boolean => ofQuota.test(name) || namesHeader(message, name)

const pathOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

const lineOf = (check: CheckRow, { sentAt, request, response }: WitnessRow): string => {
  const headers = (response?.headers ?? []).filter(([name]) => matters(check, name))
  return [
    `${exactMoment(sentAt)}  ${visible(clip(`${request.method} ${pathOf(request.url)}`, longestPath))} → ${response?.status ?? 'no answer'}`,
    ...headers.map(([name, value]) => visible(clip(`${name}: ${value}`, longestValue))),
  ].join('  ')
}

/** The answers of the picture of a broken limit, that of the smallest plan. */
const crossing = ({ quotas }: Report, check: CheckRow): string[] => {
  if (!/^QUOTA-[12]$/.test(check.clauses[0] ?? '')) return []
  const plans = new Set(brokenPlansOf(check).map(({ plan }) => plan))
  const [quota] = quotas
    .filter(({ plan, breach }) => breach?.shownBy && plans.has(plan))
    .toSorted((a, b) => a.limit - b.limit)
  return quota?.breach?.shownBy?.map(({ id }) => id) ?? []
}

/** The exchanges that prove a failure together; where each proves it alone, the first. */
const proofOf = (report: Report, check: CheckRow): readonly WitnessRow[] => {
  const byId = new Map(report.exchanges.map((x) => [x.id, x]))
  const rows = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const crossed = rows(crossing(report, check))
  if (crossed.length > 0) return crossed
  const seen = rows(breachFirst(check))
  const story = storyOf(check)
  const steps = story === undefined ? [] : stepsOf(story, seen)
  return steps.length > 0 ? steps : seen.slice(0, 1)
}

/** The exchanges that show a failure as a block of code below a list's item, a line each; nothing in it is markup. Empty where there are none. */
export const proofBlock = (report: Report, check: CheckRow): string[] => {
  const lines = check.verdict === 'fail' ? proofOf(report, check).map((x) => lineOf(check, x)) : []
  if (lines.length === 0) return []
  const longest = Math.max(...(lines.join(' ').match(/`+/g) ?? ['']).map(({ length }) => length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].map((line) => `  ${line}`)
}
