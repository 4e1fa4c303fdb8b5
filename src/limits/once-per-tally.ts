import type { Tally } from './tally.js'

/** The same judgement, made once for each tally: models ask for those of other models. */
export const oncePerTally = <T>(judge: (tally: Tally) => T): ((tally: Tally) => T) => {
  const made = new WeakMap<Tally, { readonly judged: T }>()
  return (tally) => {
    const known = made.get(tally)
    if (known) return known.judged
    const judged = judge(tally)
    made.set(tally, { judged })
    return judged
  }
}
