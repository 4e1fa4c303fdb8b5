/** How often a process looks whether it stands still, in milliseconds: a shorter standstill is not seen for certain. */
export const leastStillMs = 20
