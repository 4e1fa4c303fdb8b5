/** Says yes to the nth of those who ask, to the one that is n after it, and so on. */
export const everyNth = (n: number): (() => boolean) => {
  let asked = 0
  return () => {
    asked += 1
    return asked % n === 0
  }
}
