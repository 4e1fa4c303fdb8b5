import { defectFamilies, defectFamily } from '../contract/limiter-models.js'
import { planName } from '../contract/plans.js'
import { count, listInWords, present } from '../kit/words.js'
import type { CertificateRow, QuotaRow, Report } from './model.js'

type Certified = Pick<Report, 'certificates' | 'clauses' | 'quotas'>
type Replayed = CertificateRow['open'][number]

const certificateOf = (
  { certificates }: Pick<Report, 'certificates'>,
  { plan, window }: Pick<QuotaRow, 'plan' | 'window'>,
): CertificateRow | undefined => certificates.find((each) => each.plan === plan && each.quota === window)

/** Whether a defect is excluded on a key: by its own requests or, if one limiter serves all keys, by those of any. */
export const isExcluded = (
  { certificates }: Pick<Report, 'certificates'>,
  row: CertificateRow,
  defect: string,
): boolean => {
  const has = ({ excluded }: CertificateRow) => excluded.some((each) => each.defect === defect)
  const isShared = defectFamily(defect)?.ofEachKey === false
  return has(row) || (isShared && certificates.some((each) => each.quota === row.quota && has(each)))
}

/** Whether the run found a clause broken that this defect breaks: then the target may have it, whatever the replays show. */
const mayBeThere = ({ clauses }: Certified, defect: string): boolean =>
  clauses.some(({ id, verdict }) => verdict === 'fail' && defectFamily(defect)?.breaks.includes(id))

/** Whether a key does not have a defect. A key with a wrong limit or window of its own has no certificate. */
const isRuledOut = (report: Certified, row: CertificateRow, defect: string): boolean =>
  isExcluded(report, row, defect) && (defectFamily(defect)?.ofEachKey === true || !mayBeThere(report, defect))

const openOn = (report: Certified, row: CertificateRow): Replayed[] =>
  row.open.filter(({ defect }) => !isExcluded(report, row, defect))

/** How many replays exposed an open defect: `shown in 0 of 5 replays`; for another quota, that the answers fit it. */
export const shareInWords = ({ share, draws }: Replayed): string =>
  draws === 1 ? 'fits the answers' : `shown in ${Math.round(share * draws)} of ${draws} replays`

/** The limits that explain what was seen, and the adjacent ones that do not: `limit 60 (59 and 61 excluded)`. */
const limitReading = ({ measured: { limit } }: CertificateRow, { bucket }: QuotaRow): string[] => {
  const [least, most] = limit
  const name = bucket ? 'bucket' : 'limit'
  const beside = [...(least !== null && least > 1 ? [least - 1] : []), ...(most === null ? [] : [most + 1])]
  const excluded = beside.length === 0 ? '' : ` (${listInWords(beside.map(count))} excluded)`
  if (least === null && most === null) return []
  if (least === most) return [`${name} ${count(least ?? 0)}${excluded}`]
  if (least === null) return [`${name} at most ${count(most ?? 0)}${excluded}`]
  return [`${name} ${most === null ? `at least ${count(least)}` : `${count(least)} to ${count(most)}`}${excluded}`]
}

const lengths = [
  [5_400_000, 3_600_000, 'h'],
  [600_000, 60_000, 'min'],
  [900, 1000, 's'],
  [0, 1, 'ms'],
] as const

/** Window lengths are measured to half a per cent: one digit more than that is shown. */
const digitShare = 0.002

/** The window lengths that explain what was seen: `window 59.6 to 60.3 s`. */
const windowReading = ({ measured: { windowMs } }: CertificateRow): string[] => {
  const [least, most] = windowMs ?? [null, null]
  const longest = most ?? least
  if (longest === null) return []
  const [, unitMs, unit] = lengths.find(([from]) => longest >= from) ?? [0, 1, 'ms']
  const digits = Math.max(0, -Math.round(Math.log10((longest / unitMs) * digitShare)))
  const told = (value: number) =>
    (value / unitMs).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (least === null) return [`window at most ${told(longest)} ${unit}`]
  return [`window ${most === null ? `at least ${told(least)}` : `${told(least)} to ${told(most)}`} ${unit}`]
}

/** The smallest loss that is excluded together with all larger ones: 40, for one in 40. */
const lossExcluded = (holds: (defect: string) => boolean): number | undefined => {
  const sizes = defectFamilies.lost.names.flatMap((name) => (name.startsWith('lost') ? Number(name.slice(10)) : []))
  const firstOpen = sizes.findIndex((size) => !holds(`lost-1-in-${size}`))
  return firstOpen < 0 ? sizes.at(-1) : sizes[firstOpen - 1]
}

/** Whether one of several quotas counts what another refuses is left open: a server may check them one after the other. */
const whereRefused = ({ certificates }: Certified): string =>
  new Set(certificates.map(({ quota }) => quota)).size > 1 ? ' in the quota that refused' : ''

/** What is known about how requests are counted; `holds` tells whether a defect is excluded. */
const countingReading = (report: Certified, holds: (defect: string) => boolean): string[] => {
  const together = [
    ...(holds('routes-apart') ? ['operations'] : []),
    ...(holds('spellings-apart') ? ['spellings'] : []),
    ...(holds('addresses-apart') ? ['addresses'] : []),
    ...(holds('nodes-2') && holds('nodes-4') ? ['nodes'] : []),
  ]
  const loss = lossExcluded(holds)
  return [
    ...(holds('refusals-count') ? [`refusals do not count${whereRefused(report)}`] : []),
    ...(together.length > 0 ? [`one count for all ${listInWords(together)}`] : []),
    ...(loss === undefined ? [] : [`fewer than 1 count in ${loss} lost`]),
    ...(holds('wait-0.3s') ? ['no wait 0.3 s too short'] : holds('wait-1s') ? ['no wait 1 s too short'] : []),
    ...(holds('remaining+1') && holds('remaining-1') ? ['Remaining exact'] : []),
  ]
}

const joint = (parts: readonly string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(' · '))

/** The measured limit and window: `limit 60 (59 and 61 excluded) · window 59.6 to 60.3 s`. */
export const sizesInWords = (report: Certified, quota: QuotaRow): string | undefined => {
  const row = certificateOf(report, quota)
  return row && joint([...limitReading(row, quota), ...windowReading(row)])
}

/** What is known about the counting on every key: `refusals do not count · fewer than 1 count in 40 lost`. */
export const countingOnAllKeys = (report: Certified): string | undefined =>
  report.certificates.length === 0 ? undefined : joint(countingReading(report, onEveryKey(report)))

/** What was measured and excluded: `limit 60 (59 and 61 excluded) · window 59.6 to 60.3 s · Remaining exact`. */
export const measuredInWords = (report: Certified, quota: QuotaRow): string | undefined => {
  const row = certificateOf(report, quota)
  const sizes = sizesInWords(report, quota)
  return row && joint([...present(sizes), ...countingReading(report, (each) => isRuledOut(report, row, each))])
}

/** What could still hide on a quota, by the names that gates use: `not excluded: window-1%, lost-1-in-200`. */
export const openInWords = (report: Certified, quota: QuotaRow): string | undefined => {
  const row = certificateOf(report, quota)
  const open = row === undefined ? [] : openOn(report, row).map(({ defect }) => defect)
  return open.length === 0 ? undefined : `not excluded: ${open.join(', ')}`
}

const wordsByDefect = ({ certificates }: Certified): ReadonlyMap<string, string> =>
  new Map(certificates.flatMap(({ excluded, open }) => [...excluded, ...open]).map((each) => [each.defect, each.words]))

/** Whether every judged key has a certificate: without one, nothing is known about a key's defects. */
const isOfAllKeys = ({ certificates, quotas }: Certified): boolean =>
  quotas.every(({ plan, verdict }) => verdict === 'not-tested' || certificates.some((each) => each.plan === plan))

const onEveryKey =
  (report: Certified) =>
  (defect: string): boolean =>
    !mayBeThere(report, defect) &&
    (defectFamily(defect)?.ofEachKey === false || isOfAllKeys(report)) &&
    report.certificates.every((row) => isExcluded(report, row, defect))

/** The defects of each family excluded on every key, represented by the smallest. */
const excludedEverywhere = (report: Certified): string[] => {
  const onAll = onEveryKey(report)
  const loss = lossExcluded(onAll)
  const share = [1, 2, 3, 5, 10].find((each) => onAll(`window-${each}%`) && onAll(`window+${each}%`))
  const words = wordsByDefect(report)
  const shared = ['nodes-2', 'routes-apart', 'refusals-count', 'wait-1s', 'remaining+1']
    .filter(onAll)
    .map((each) => `${words.get(each) ?? each}${each === 'refusals-count' ? whereRefused(report) : ''}`)
  return [
    ...(onAll('limit+1') && onAll('limit-1') ? ['a limit that is off by one'] : onAll('no-limit') ? ['no limit'] : []),
    ...(share === undefined ? [] : [`a window that is ${share}% too short or too long`]),
    ...(loss === undefined ? [] : [`1 count in ${loss} lost`]),
    ...shared,
  ]
}

/** Where clients meet a defect each day, though hardly any run does: a night of silence, or an operation that few requests use. */
const likeliest = new Set([defectFamilies.idle, defectFamilies.operation].flatMap(({ names }): string[] => [...names]))

/**
 * What could hide on some key, and on which (`any key`, `Free and Pro`): demanded exclusions first, then what clients are
 * likeliest to meet, then by number of keys.
 */
const hidingAnywhere = (report: Certified) => {
  const plans = new Map<string, { readonly open: Replayed; readonly on: string[] }>()
  for (const row of report.certificates)
    for (const open of openOn(report, row)) {
      const known = plans.get(open.words) ?? { open, on: [] }
      known.on.push(planName(row.plan))
      plans.set(open.words, known)
    }
  const keys = isOfAllKeys(report) ? report.certificates.length : Number.POSITIVE_INFINITY
  return [...plans.values()]
    .sort(
      (a, b) =>
        Number(b.open.demanded) - Number(a.open.demanded) ||
        Number(likeliest.has(b.open.defect)) - Number(likeliest.has(a.open.defect)) ||
        b.on.length - a.on.length,
    )
    .map(({ open, on }) => ({ ...open, where: on.length === keys ? 'any key' : listInWords(on) }))
}

/** The first defect of each family that could hide; the others are counted. */
const openAnywhere = (report: Certified): string[] => {
  const all = hidingAnywhere(report)
  const families = all.map(({ defect }) => defectFamily(defect))
  const firsts = all.filter((_, at) => families.indexOf(families[at]) === at)
  const told = firsts.map(({ words, where }) => `${words} (on ${where})`)
  const more = all.length - firsts.length
  return more > 0 ? [...told, `${count(more)} more`] : told
}

/** What could hide, one defect of each family: `1 count in 200 lost (on Free), 2 more`; undefined if nothing could. */
export const hidingInWords = (report: Certified): string | undefined => openAnywhere(report).join(', ') || undefined

/** What the run excludes on every key, and what not, in a sentence; undefined without certificates. */
export const excludedInWords = (report: Certified & Pick<Report, 'outcome'>): string | undefined => {
  if (report.certificates.length === 0) return undefined
  const subject = report.outcome === 'pass' ? 'This pass' : 'This run'
  const excluded = excludedEverywhere(report)
  const open = openAnywhere(report)
  const first = `${subject} rules out ${excluded.length === 0 ? 'no defect for all keys' : listInWords(excluded, 'or')}`
  return open.length === 0 ? `${first}.` : `${first}. It does not rule out ${listInWords(open, 'or')}.`
}

type DefectFamilyName = keyof typeof defectFamilies

const defectFamilyNames = Object.keys(defectFamilies) as DefectFamilyName[]

/** Defect families by key: a row for each family that was replayed on any key, a cell for each certificate. */
export const familiesByKey = (report: Certified) => {
  const { certificates } = report
  const words = wordsByDefect(report)
  const rowOf = (family: (typeof defectFamilyNames)[number]) => {
    const defects = [...words.keys()].filter((defect) => defectFamily(defect) === defectFamilies[family])
    const cells = certificates.map((row) => ({
      excluded: defects.filter((defect) => isRuledOut(report, row, defect)).length,
      open: openOn(report, row).filter(({ defect }) => defects.includes(defect)),
    }))
    return { title: defectFamilies[family].title, cells }
  }
  return defectFamilyNames
    .map(rowOf)
    .filter(({ cells }) => cells.some(({ excluded, open }) => excluded + open.length > 0))
}
