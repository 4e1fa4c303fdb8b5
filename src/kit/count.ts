/** A count for people: `12,345`. */
export const count = (value: number): string => value.toLocaleString('en-US')
