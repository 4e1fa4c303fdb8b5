/** The coordinator says so often that it is there, and an agent as often that it is, in milliseconds. */
export const beatMs = 500

/** An agent that has heard nothing of its coordinator for so long ends its loads. */
export const coordinatorSilentMs = 3_000

/** One that has heard nothing for so long leaves the run. */
export const coordinatorGoneMs = 60_000

/**
 * An agent that was not heard for so long, while messages got through, is taken for lost. Longer than {@link
 * coordinatorSilentMs}: one that is cut off has ended its loads by then.
 */
export const agentSilentMs = 6_000

/** How often an agent reads the coordinator's clock while it takes part in a run. */
export const readingEveryMs = 5_000

/** Round trips for one reading, how far apart they begin, and how long the last one is waited for. */
export const tripsOfReading = 50
export const tripEveryMs = 4
export const lastTripMs = 1_000

/** How often the rows of a load are handed over. */
export const chunkEveryMs = 1_000

/** A share that was not begun so long after it was handed out is not begun any more. */
export const beginWithinMs = 5_000

/** Time for a share to come to its agents and to make its connections, before all of them begin. */
export const leadMs = 400
