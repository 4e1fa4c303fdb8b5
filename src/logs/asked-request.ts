import type { ApiContract } from '../contract/api-contract.js'
import { UsageError } from '../kit/usage-error.js'
import { asPattern, suggestion } from '../kit/words.js'
import { nobody } from './rows.js'

/** The path of a URL, without its query: proxies log whole URLs. */
const pathOf = (address: string): string => {
  const from = address.startsWith('/') ? 0 : Math.max(0, address.indexOf('/', address.indexOf('://') + 3))
  const query = address.indexOf('?', from)
  return query < 0 ? address.slice(from) : address.slice(from, query)
}

/** `GET /items/*` as a pattern that matches `GET /items/7`; a pattern without a method matches all methods. */
const patternOf = (text: string): RegExp => {
  const pattern = asPattern(text.trim()).replaceAll('\\*', '.*')
  return new RegExp(/^\S+ /.test(text.trim()) ? `^${pattern}$` : `^\\S+ ${pattern}$`)
}

/** Finds the contract's request that a line is, if any. `patterns`: further such lines, as `items=GET /items/*`. */
export const askedRequest = ({ requests }: ApiContract, patterns: readonly string[]) => {
  const names = Object.keys(requests)
  const exact = new Map<string, number>()
  for (const [place, { method, path }] of Object.values(requests).entries()) {
    const asked = `${method.toUpperCase()} ${pathOf(path)}`
    // Two requests that differ only in query or body can't be told apart.
    exact.set(asked, exact.has(asked) ? nobody : place)
  }
  const given = patterns.map((each) => {
    const at = each.indexOf('=')
    const [name, pattern] = [each.slice(0, at).trim(), each.slice(at + 1)]
    if (at < 0 || pattern.trim() === '')
      throw new UsageError(
        `--request: write a request of the contract and what it looks like: ${names[0]}='GET /path/*'`,
      )
    if (!names.includes(name))
      throw new UsageError(`--request: the contract has no request ${name}; ${suggestion(name, names)}`)
    return { place: names.indexOf(name), pattern: patternOf(pattern) }
  })
  return (method: string, address: string): number => {
    const asked = `${method} ${pathOf(address)}`
    const known = exact.get(asked)
    if (known !== undefined && known !== nobody) return known
    return given.find(({ pattern }) => pattern.test(asked))?.place ?? nobody
  }
}
