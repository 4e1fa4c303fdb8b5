import fc from 'fast-check'

/** A property that is played against the target: what it may cost, and how one input is played. */
export interface BoundedSearch<Input, Broken extends string> {
  readonly arbitrary: fc.Arbitrary<Input>
  /** Inputs that are played before any is drawn, for what a few draws could leave out. */
  readonly examples?: readonly Input[]
  readonly seed: number
  /** The most requests that it may send in all. */
  readonly requests: number
  /** The most requests that one input takes. */
  cost(input: Input): number
  /** Requests that were sent so far, by this search or before it. */
  sent(): number
  /** Plays an input; gives what it broke, or undefined. */
  play(input: Input): Promise<Broken | undefined>
  /** Whether somebody else may have caused what was broken, so that it has to be seen again. */
  isDoubtful(broken: Broken): boolean
  /** A reading before and after the last try, of one request: a change between readings is somebody else's. */
  control(): Promise<unknown>
}

/**
 * Plays inputs until one breaks something, shrinks it to a small one that breaks the same, and, where that is doubtful,
 * plays it once more between two controls. Resolves to how many requests are left of `requests`; with 40, and an input
 * that takes 3, the search goes on until 35 are sent, for the last try takes 5. What `play` throws ends the search, and
 * is thrown.
 */
export const searchWithin = async <Input, Broken extends string>(
  search: BoundedSearch<Input, Broken>,
): Promise<number> => {
  const before = search.sent()
  const left = () => search.requests - (search.sent() - before)
  let smallest: { readonly input: Input; readonly broken: Broken } | undefined
  let thrown: { readonly error: unknown } | undefined
  /** Requests that the last try takes: kept back from the start, for any input may be the one. */
  const keptBack = (input: Input) => {
    if (smallest && !search.isDoubtful(smallest.broken)) return 0
    return search.cost(smallest?.input ?? input) + 2
  }

  /** False where the input breaks the same as the smallest so far; true, unplayed, once no requests are left. */
  const holds = async (input: Input): Promise<boolean> => {
    if (thrown || left() < search.cost(input) + keptBack(input)) return true
    try {
      const broken = await search.play(input)
      if (broken === undefined || (smallest && broken !== smallest.broken)) return true
      smallest = { input, broken }
      return false
    } catch (error) {
      thrown = { error }
      return true
    }
  }
  const examples = (search.examples ?? []).map((each): [Input] => [each])
  await fc.check(fc.asyncProperty(search.arbitrary, holds), { seed: search.seed, numRuns: search.requests, examples })
  if (thrown) throw thrown.error
  if (smallest && search.isDoubtful(smallest.broken)) {
    await search.control()
    await search.play(smallest.input)
    await search.control()
  }
  return left()
}
