/**
 * Makes a function compute once per object, and remember the result for as long as the object lives. The object must not
 * change. Used for what several checks need of a run's evidence.
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
