/** Makes a function compute once per object, which must not change, and keep the result as long as the object lives. */
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
