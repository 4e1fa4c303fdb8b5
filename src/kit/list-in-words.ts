/** `a, b and c`; `none` of nothing. */
export const listInWords = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? 'none') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
