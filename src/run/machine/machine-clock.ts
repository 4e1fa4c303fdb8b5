/**
 * Milliseconds on the machine's own clock, which runs on from one process to the next (CLOCK_MONOTONIC and its like) and
 * which nobody sets; it begins anew with the machine.
 */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6
