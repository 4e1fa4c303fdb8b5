import type { ApiContract, HeaderField } from '../../contract/api-contract.js'
import type { HeaderLine } from '../../evidence/exchange.js'

/** The fields of a contract that have one name: it may mean several things. */
export interface NamedFields {
  /** In lower case. */
  readonly name: string
  readonly fields: readonly HeaderField[]
}

/** The fields of a contract by name, in the order in which it first lists each. */
export const fieldsByName = (headers: ApiContract['headers']): readonly NamedFields[] => {
  const byName = new Map<string, HeaderField[]>()
  for (const field of headers) {
    const name = field.name.toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), field])
  }
  return [...byName].map(([name, fields]) => ({ name, fields }))
}

/** Values of a field of an answer, trimmed, one a line; none where it is absent. The name is in lower case. */
export type ValuesOf = (name: string) => readonly string[]

/** The values of an answer's headers by name. */
export const valuesOfHeaders = (headers: readonly HeaderLine[]): ValuesOf => {
  const byName = new Map<string, string[]>()
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const values = byName.get(name)
    if (values) values.push(value.trim())
    else byName.set(name, [value.trim()])
  }
  return (name) => byName.get(name) ?? []
}
