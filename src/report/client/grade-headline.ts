const letters: Readonly<Record<string, string>> = {
  A: 'stays clear of the limit, waits as told, and backs off by itself',
  B: 'waits as told, and backs off by itself',
  C: 'waits as told and grows its own waits, with flaws',
  D: 'keeps seconds, and misses dates or growth',
  F: 'comes back while it is told to wait, hammers, or never ends',
}

/** The audit's outcome in a sentence. */
export const gradeHeadline = (grade: {
  readonly letter: string | null
  readonly best: string
  readonly worst: string
  readonly reasons: readonly { readonly atBest: string; readonly state: string; readonly sentence: string }[]
}): string => {
  // What stands, and costs it most: an open question beside it may weigh as much, and has not made the grade.
  const decisive = grade.reasons.find(({ atBest, state }) =>
    grade.letter === null ? state === 'open' : state === 'stands' && [grade.letter, 'F'].includes(atBest),
  )
  const first = decisive?.sentence
  if (grade.letter === 'none') return `No grade: ${first ?? 'there is nothing to grade'}`
  if (grade.letter === null)
    return `No grade: somewhere from ${grade.worst} to ${grade.best}; ${first ?? 'too little was seen'}`
  return first === undefined || grade.letter === 'A'
    ? `Grade ${grade.letter}: ${letters[grade.letter]}`
    : `Grade ${grade.letter}: ${first}`
}
