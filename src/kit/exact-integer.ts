/** More digits than any integer here needs: bounds the work that an exponent such as `1e99999` can ask for. */
const mostDigits = 400

/**
 * The integer that a JSON number's text stands for, digit for digit, or undefined where it is none:
 * `5`, `5.0` and `50e-1` are the integer 5; `5.5` is none, nor is a number of more than 400 digits.
 */
export const exactInteger = (text: string): bigint | undefined => {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match || text.length > mostDigits) return undefined
  const [, sign, whole, fraction = '', exponentText = '0'] = match
  const digits = whole + fraction
  if (/^0+$/.test(digits)) return 0n
  const shift = Number(exponentText) - fraction.length
  if (Math.abs(shift) > mostDigits) return undefined
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`)
  const kept = digits.slice(0, shift)
  if (!/^0+$/.test(digits.slice(shift).padStart(-shift, '0'))) return undefined
  return BigInt(`${sign}${kept === '' ? '0' : kept}`)
}
