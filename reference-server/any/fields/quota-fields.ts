import type { ApiContract, HeaderField, QuotaSpec, ResetUnit } from '../../../src/contract/api-contract.js'
import type { RateHeaders } from '../../metering/rate-headers.js'
import type { WindowState } from '../../metering/ruling.js'
import { mostLeft } from '../../metering/subject.js'

/** What fields are written from. */
export interface Shown {
  /** All quotas that the request counted against; at least one. */
  readonly all: readonly WindowState[]
  /** The one that a field shows which has room for no other. */
  readonly nearest: WindowState
  readonly moment: (unit: ResetUnit, atMs: number) => string
}

type Writer = (shown: Shown, field: HeaderField, nameOf: (state: WindowState) => string) => string

/** A window of a demonstration may be no whole number of seconds. */
const windowSeconds = ({ window }: WindowState) => Number((window.lengthMs / 1000).toFixed(3))
const policies: Writer = ({ all }) => all.map((each) => `${each.window.limit};w=${windowSeconds(each)}`).join(', ')
const used = ({ window, remaining }: WindowState) => mostLeft(window) - remaining

/** How each field of a dialect is written; those of draft 07 and before show one quota, those after it all. */
const writers: Readonly<Record<HeaderField['is'], Writer>> = {
  limit: ({ nearest }) => String(mostLeft(nearest.window)),
  remaining: ({ nearest }) => String(nearest.remaining),
  used: ({ nearest }) => String(used(nearest)),
  'used/limit': ({ nearest }) => `${used(nearest)}/${mostLeft(nearest.window)}`,
  reset: ({ nearest, moment }, { as = 'epoch-s' }) => moment(as, nearest.resetMs),
  policy: policies,
  'draft-07-policy': policies,
  'draft-07': ({ nearest, moment }) =>
    `limit=${mostLeft(nearest.window)}, remaining=${nearest.remaining}, reset=${moment('delta-s', nearest.resetMs)}`,
  'draft-11-policy': ({ all }, _, nameOf) =>
    all.map((each) => `${nameOf(each)};q=${each.window.limit};w=${windowSeconds(each)}`).join(', '),
  'draft-11': ({ all, moment }, _, nameOf) =>
    all.map((each) => `${nameOf(each)};r=${each.remaining};t=${moment('delta-s', each.resetMs)}`).join(', '),
}

/** A string of a structured field (RFC 9651 §3.3.3). */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** What a field shows: all, or the one quota of which it tells; undefined where the request did not count in that. */
const toldBy = ({ quota }: HeaderField, shown: Shown): Shown | undefined => {
  if (quota === undefined) return shown
  const own = shown.all.find(({ window }) => window.name === quota)
  return own && { ...shown, all: [own], nearest: own }
}

/** Writes the fields of a contract's dialect. */
export const quotaFields = ({ headers, quotas }: ApiContract) => {
  const names = new Map(quotas.map(({ id, policy }: QuotaSpec) => [id, quoted(policy ?? id)]))
  const nameOf = ({ window }: WindowState) => names.get(window.name) ?? quoted(window.name)
  return (shown: Shown): RateHeaders =>
    Object.fromEntries(
      headers.flatMap((field) => {
        const told = toldBy(field, shown)
        return told ? [[field.name, writers[field.is](told, field, nameOf)]] : []
      }),
    )
}
