import { lineIn, renameKey, type YamlFile } from '../../kit/yaml-file.js'

/** Whether a quota, or the file itself where there is no index, has an old word; it has the word of today after that. */
const renamed = (place: YamlFile, path: readonly PropertyKey[]): boolean => {
  const isRenamed = renameKey(place, path, 'probes', 'requests')
  if (place.document.getIn([...path, 'by']) !== 'credential+probe') return isRenamed
  place.document.setIn([...path, 'by'], 'credential+request')
  return true
}

/**
 * A contract file that calls its requests probes, as they once were called, in the words of today; and a notice of it. Its
 * lines stay what they are.
 */
export const inWordsOfToday = (given: YamlFile): { readonly place: YamlFile; readonly notes: readonly string[] } => {
  const { quotas } = (given.value ?? {}) as { readonly quotas?: unknown }
  const paths = [[], ...(Array.isArray(quotas) ? quotas : []).map((_, index) => ['quotas', index])]
  if (paths.filter((path) => renamed(given, path)).length === 0) return { place: given, notes: [] }
  const note = `${lineIn(given, ['requests'])}: probes: write requests, as they are called now; the old word is still read`
  return { place: { ...given, value: given.document.toJS({ maxAliasCount: 20 }) }, notes: [note] }
}
