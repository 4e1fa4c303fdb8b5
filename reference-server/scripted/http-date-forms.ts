const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number): string => String(value).padStart(2, '0')

/** The three forms of an HTTP-date that a recipient has to accept (RFC 9110 §5.6.7). */
export const httpDateForms = {
  'imf-fixdate': (date: Date): string => date.toUTCString(),
  rfc850: (date: Date): string =>
    `${days[date.getUTCDay()]}, ${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-` +
    `${two(date.getUTCFullYear() % 100)} ${date.toISOString().slice(11, 19)} GMT`,
  asctime: (date: Date): string =>
    `${days[date.getUTCDay()].slice(0, 3)} ${months[date.getUTCMonth()]} ` +
    `${String(date.getUTCDate()).padStart(2, ' ')} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`,
} as const
