/** The items by what each belongs to, in the order in which these first come. */
export const groupedBy = <T, K>(items: Iterable<T>, groupOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(groupOf(item))
    if (group) group.push(item)
    else groups.set(groupOf(item), [item])
  }
  return groups
}
