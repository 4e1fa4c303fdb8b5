import { UsageError } from '../../kit/usage-error.js'

const addressOf = (flag: string, text: string): URL => {
  // The address of a webhook is a secret as a whole: no message repeats it.
  if (!URL.canParse(text)) throw new UsageError(`${flag} is no address: give one such as https://ci.example/runs/42`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${flag}: the address has to begin with http:// or https://`)
  return url
}

/** Reads --to. Throws a {@link UsageError} that says what to type instead, and repeats nothing of it. */
export const parseReceiver = (text: string): URL => {
  const url = addressOf('--to', text)
  if (url.username === '' && url.password === '') return url
  throw new UsageError('--to must hold no user name and no password: put them into QUOTASPEC_TO_AUTHORIZATION')
}

/** Reads --link, as it is written into what others read. Throws a {@link UsageError}. */
export const parseLink = (text: string): string => addressOf('--link', text).href
