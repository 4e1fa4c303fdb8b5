import type { Charge, Subject } from '../stores/ruling.js'

/** The charge of a request that counts against one subject. */
export const alone = (subject: Subject): readonly Charge[] => [{ subject, cost: 1 }]
