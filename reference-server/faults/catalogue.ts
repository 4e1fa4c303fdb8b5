import type { Fault } from './fault.js'

/** All faults, by area. */
export const faults: readonly Fault[] = []
