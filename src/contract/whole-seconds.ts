/**
 * Reset (§8.2) and Retry-After (§8.3) name whole seconds: a moment that is 4.3 s ahead is named as 4 or as 5. So what they
 * name stands for a second, before it or after it.
 */
export const secondMs = 1_000

/** How much longer than a window a wait may be: rounded up to whole seconds it is one more, and one is allowed (THROTTLE-5). */
export const waitSlackMs = 2 * secondMs

/** Windows shorter than this, of demonstrations at a time scale, have too few whole seconds to tell their parts apart. */
export const secondsMatterMs = 3 * secondMs
