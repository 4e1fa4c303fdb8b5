import type { ApiContract } from '../../src/contract/api-contract.js'

/** The probe that a request is for; undefined where there is none. `url` is a path, with its query. */
export type RequestedProbe = (method: string, url: string, body: string) => string | undefined

interface Known {
  readonly name: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/**
 * Finds probes by method and path. Where several share both, that one is meant whose body it is, and of whose query most
 * is there: a search may differ from a list in nothing else.
 */
export const requestedProbe = (requests: ApiContract['requests']): RequestedProbe => {
  const byTarget = new Map<string, Known[]>()
  for (const [name, { method, path, body }] of Object.entries(requests)) {
    const url = urlOf(path)
    if (!url) throw new Error(`the path of the request ${name} can't be read: ${path}`)
    const target = `${method.toUpperCase()} ${url.pathname}`
    byTarget.set(target, [...(byTarget.get(target) ?? []), { name, query: [...url.searchParams], body }])
  }
  return (method, target, body) => {
    const url = urlOf(target)
    const known = url && byTarget.get(`${method.toUpperCase()} ${url.pathname}`)
    if (!known) return undefined
    const fits = ({ query, body: own }: Known) =>
      (own !== undefined && own === body ? 1_000 : 0) +
      query.reduce((sum, [key, value]) => sum + (url.searchParams.getAll(key).includes(value) ? 1 : -1), 0)
    return known.reduce((best, each) => (fits(each) > fits(best) ? each : best)).name
  }
}

/** A path as a URL; what names a host, as `//x` seems to, is a path too. */
const urlOf = (path: string): URL | undefined => {
  try {
    return new URL(`http://localhost${path.startsWith('/') ? '' : '/'}${path}`)
  } catch {
    return undefined
  }
}
