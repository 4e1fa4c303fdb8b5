/** Finds the greatest value among the indices [from, to) in O(log n), by a tree of maxima; minus infinity in none. */
export const rangeMaximum = (values: Float64Array): ((from: number, to: number) => number) => {
  const size = Math.max(1, values.length)
  const tree = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY)
  tree.set(values, size)
  for (let node = size - 1; node > 0; node--) tree[node] = Math.max(tree[2 * node], tree[2 * node + 1])
  return (from, to) => {
    let most = Number.NEGATIVE_INFINITY
    for (let left = from + size, right = to + size; left < right; left >>= 1, right >>= 1) {
      if (left & 1) most = Math.max(most, tree[left++])
      if (right & 1) most = Math.max(most, tree[--right])
    }
    return most
  }
}
