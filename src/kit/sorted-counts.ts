/** How many of the ascending values are below `bound`. */
export const countBelow = (ascending: Float64Array, bound: number, from = 0): number => {
  let low = from
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the ascending values are at most `bound`. */
export const countUpTo = (ascending: Float64Array, bound: number, from = 0): number => {
  let low = from
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= bound) low = middle + 1
    else high = middle
  }
  return low
}
