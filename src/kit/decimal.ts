/** The digits of the greatest 64-bit integer, and a sign: no header needs a longer number. */
const mostCharacters = 20

/** The number that a decimal stands for (`60`, `-1`, `2.5`); undefined for any other text (`6e1`, `60;w=60`). */
export const decimalIn = (text: string): number | undefined =>
  text.length <= mostCharacters && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
