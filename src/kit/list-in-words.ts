/** `a, b and c`, or with `or`; `none` of nothing. */
export const listInWords = (items: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  items.length < 2 ? (items[0] ?? 'none') : `${items.slice(0, -1).join(', ')} ${joint} ${items[items.length - 1]}`
