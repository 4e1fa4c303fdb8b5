const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const

/** A span as a contract file writes it, in its largest whole unit: `90s`, `1m`, `1h`. */
export const spanText = (ms: number): string => {
  for (const [unit, letter] of units) if (ms % unit === 0) return `${ms / unit}${letter}`
  return `${Math.round(ms / 1000)}s`
}
