import { UsageError } from '../../kit/usage-error.js'

/** The base address that a text means, or why it can't be one; that never repeats the text, which may hold a secret. */
export const readAddress = (text: string): { readonly baseUrl: string } | { readonly why: string } => {
  if (!URL.canParse(text)) return { why: 'has to be an address such as http://127.0.0.1:8080/v1' }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return { why: 'must hold no user name and no password' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { why: 'has to begin with http:// or https://' }
  if (url.search !== '' || url.hash !== '') return { why: 'must hold no query and no fragment' }
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}

/** Reads the address behind a flag. Throws a {@link UsageError} that says what to type instead. */
export const parseTarget = (text: string | undefined, flag = '--target'): string => {
  if (text === undefined || text === '')
    throw new UsageError(`${flag} is missing: give the base address, such as http://127.0.0.1:8080/v1`)
  const read = readAddress(text)
  if ('why' in read) throw new UsageError(`${flag} ${read.why}`)
  return read.baseUrl
}

/** Whether an address is this machine's own: load may go there freely. */
export const isLoopback = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
