/**
 * A probe of limits waits for its quota through this many windows of a minute at most. A minute comes back within one;
 * a wait beyond two is a day's or a ban's, and is not sat through unasked.
 */
export const mostWindowsForQuota = 2

/** A question that has to be answered waits through this many: one window more, for a short ban may be over by then. */
export const mostWindowsForAnswer = 3
