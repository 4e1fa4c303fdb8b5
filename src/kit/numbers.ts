/** How many of the ascending values are below `bound`. */
export const countBelow = (ascending: Float64Array, bound: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the ascending values are at most `bound`. */
export const countUpTo = (ascending: Float64Array, bound: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= bound) low = middle + 1
    else high = middle
  }
  return low
}

/** The smallest whole number in [low, high] for which `holds` is true, as it is for all above; `high + 1` if none. */
export const firstThat = (low: number, high: number, holds: (value: number) => boolean): number => {
  let [from, to] = [low, high + 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** The whole numbers below `size` that are meant, in order: rows, or places in a list. */
export const placesOf = (size: number, isMeant: (place: number) => boolean = () => true): number[] => {
  const places: number[] = []
  for (let place = 0; place < size; place += 1) if (isMeant(place)) places.push(place)
  return places
}

export const valuesAt = (values: Float64Array, places: ArrayLike<number>): Float64Array => {
  const found = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) found[i] = values[places[i]]
  return found
}

/** For each value, the greatest among it and those before it. */
export const risingMaxima = (values: Float64Array): Float64Array => {
  const maxima = values.slice()
  for (let i = 1; i < maxima.length; i++) if (maxima[i] < maxima[i - 1]) maxima[i] = maxima[i - 1]
  return maxima
}

/** The median of sorted numbers: the mean of the two middle ones if there is no single one. */
export const medianOf = (sorted: readonly number[]): number => {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
