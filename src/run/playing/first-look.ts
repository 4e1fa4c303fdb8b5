import type { Exchange } from '../../evidence/exchange.js'
import { type FirstLook, firstLookProbe, type Obstacle } from '../../evidence/journal.js'
import type { RunLog } from './run-log.js'

interface LookedAt {
  readonly hellos: readonly Exchange[]
  /** Planned loads that may not be sent to the target. */
  readonly forbiddenLoads: readonly string[]
  /** What the user chose to go on without. */
  readonly without: { readonly rejectedKeys: boolean; readonly load: boolean }
}

/** Matches the codes by which OpenSSL and Node say that a certificate is not trusted. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/

/** The last exchange of each key, because hello may have asked twice. */
const lastOfEach = (hellos: readonly Exchange[]): Exchange[] => {
  const last = new Map(hellos.filter(({ operation }) => operation !== null).map((x) => [x.key, x]))
  return [...last.values()]
}

/** Why no key got any response; undefined if one did. */
const silence = (last: readonly Exchange[]): Obstacle | undefined => {
  const [first] = last
  if (!first || last.some(({ response }) => response !== null)) return undefined
  return { kind: untrusted.test(first.error?.code ?? '') ? 'untrusted' : 'unreachable', exchange: first.id }
}

/** An obstacle if this does not seem to be a Petstore: the list of pets answers 404 to every key. */
const noInventory = (last: readonly Exchange[]): Obstacle[] =>
  last.length > 0 && last.every(({ operation, response }) => operation === 'listInventory' && response?.status === 404)
    ? [{ kind: 'no-inventory', exchange: last[0].id }]
    : []

const ofKeys = (last: readonly Exchange[]): Obstacle[] =>
  last.flatMap(({ id, response }): Obstacle[] => {
    if (response?.status === 401) return [{ kind: 'key-rejected', exchange: id }]
    return response && response.status >= 500 ? [{ kind: 'server-error', exchange: id }] : []
  })

/**
 * Finds what stands in a run's way, before a minute is spent on it. It ends the run if nobody answers, the address lacks
 * `/v1`, a given key was rejected, or a load is not allowed. The user can go on despite the last two
 * (`--without-rejected-keys`, as long as one key is left; `--without-load`).
 */
export const lookFirst = ({ hellos, forbiddenLoads, without }: LookedAt): Omit<FirstLook, 'at'> => {
  const last = lastOfEach(hellos)
  const better = hellos.find(({ step, response }) => step === 'with-v1' && response?.status === 200)
  const silent = silence(last)
  const keys = better
    ? [{ kind: 'other-base' as const, exchange: better.id }]
    : silent
      ? [silent]
      : [...noInventory(last), ...ofKeys(last)]
  const load = forbiddenLoads.length > 0 ? [{ kind: 'load-not-allowed' as const, probes: [...forbiddenLoads] }] : []
  const rejected = keys.filter(({ kind }) => kind === 'key-rejected').length
  const noneLeft = rejected > 0 && rejected === last.length
  const ends: Readonly<Record<Obstacle['kind'], boolean>> = {
    unreachable: true,
    untrusted: true,
    'other-base': true,
    'no-inventory': false,
    'key-rejected': noneLeft || !without.rejectedKeys,
    'server-error': false,
    'load-not-allowed': !without.load,
  }
  const obstacles = [...keys, ...load]
  return { obstacles, ended: obstacles.some(({ kind }) => ends[kind]) }
}

/** Records what hello saw, with notes on the address and the keys; `rejected`: the keys that the target rejected. */
export const firstLookOf = (
  log: Pick<RunLog, 'records' | 'write' | 'note'>,
  at: number,
  { loads, without }: { readonly loads: readonly string[] } & Pick<LookedAt, 'without'>,
): { readonly ended: boolean; readonly rejected: readonly unknown[] } => {
  const exchanges = log.records.filter((each) => each.type === 'exchange')
  const hellos = exchanges.filter(({ probe }) => probe === firstLookProbe)
  const look = lookFirst({ hellos, forbiddenLoads: [...new Set(loads)], without })
  log.write({ type: 'first-look', at, ...look })
  const rejected = look.obstacles.flatMap((each) => {
    const x = 'exchange' in each ? exchanges.find(({ id }) => id === each.exchange) : undefined
    const status = x?.response?.status
    if (each.kind === 'server-error') log.note(at, `the first answer to the ${x?.key} key was ${status}`)
    if (each.kind === 'no-inventory')
      log.note(at, 'no inventory here: not a Petstore API? Pass a contract file: quotaspec discover writes one')
    if (each.kind !== 'key-rejected') return []
    log.note(at, `the ${x?.key} key was not accepted (${status})`)
    return [x?.key]
  })
  return { ended: look.ended, rejected }
}
