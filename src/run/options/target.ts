import { UsageError } from '../../kit/usage-error.js'

/** Reads --target. Throws a {@link UsageError} that says what to type instead. */
export const parseTarget = (text: string | undefined): string => {
  if (text === undefined || text === '')
    throw new UsageError('--target is missing: give the base address, for example --target http://127.0.0.1:8080/v1')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UsageError(`--target ${text} is no address: give one such as http://127.0.0.1:8080/v1`)
  }
  // Before anything that repeats the address.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--target must hold no user name and no password')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`--target ${text}: the address has to begin with http:// or https://`)
  }
  if (url.search !== '' || url.hash !== '') throw new UsageError('--target must hold no query and no fragment')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Whether an address is this machine's own: load may go there freely. */
export const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
