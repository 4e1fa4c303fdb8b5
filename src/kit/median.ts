/** The middle of sorted numbers, the mean of the two middle ones where there is no one middle. */
export const medianOf = (sorted: readonly number[]): number => {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
