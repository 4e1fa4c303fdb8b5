/**
 * The same function, computed once for each object that it is asked about: what several checks need of a run is read
 * once. The object must not change; what was computed is forgotten with it.
 */
export const onceFor = <K extends object, T>(compute: (of: K) => T): ((of: K) => T) => {
  const computed = new WeakMap<K, { readonly value: T }>()
  return (of) => {
    const known = computed.get(of)
    if (known) return known.value
    const value = compute(of)
    computed.set(of, { value })
    return value
  }
}
