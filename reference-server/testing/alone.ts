import type { Charge, Subject } from '../stores/ruling.js'

/** What a request costs that counts against one subject. */
export const alone = (subject: Subject): readonly Charge[] => [{ subject, cost: 1 }]
