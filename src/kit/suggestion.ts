/** Edits between two words, to guess what a misspelt one was meant to be. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]
}

/**
 * "did you mean …" where one of the known words is near, or begins with the word: a check of a contract ends with the
 * quota that it judges, `quota.spellings:minute`. Else the list of them.
 */
export const suggestion = (word: string, known: readonly string[]): string => {
  if (known.length === 0) return 'none is known here'
  const whole = known.find((each) => word !== '' && each.startsWith(`${word}:`))
  if (whole !== undefined) return `did you mean ${whole}?`
  const [nearest] = known.map((each) => ({ each, edits: distance(word, each) })).sort((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= Math.max(2, word.length / 3)
    ? `did you mean ${nearest.each}?`
    : `known are ${known.join(', ')}`
}
