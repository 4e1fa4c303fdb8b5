import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'

/** The formats of `report --as`. */
export const formatNames = ['html', 'json', 'junit', 'markdown', 'openmetrics', 'otlp', 'sarif'] as const
export type FormatName = (typeof formatNames)[number]

/** The format that was typed. Throws a {@link UsageError} that names them all where it is none. */
export const parseFormat = (text: string): FormatName => {
  const name = formatNames.find((each) => each === text)
  if (name !== undefined) return name
  const hint = suggestion(text, formatNames)
  const all = `the formats are ${formatNames.join(', ')}`
  throw new UsageError(`--as ${text} is no format: ${hint.startsWith('did') ? `${hint} ${all}` : all}`)
}

/** Reads --link, as it is written into what others read. Throws a {@link UsageError} that repeats nothing of it. */
export const parseLink = (text: string): string => {
  if (!URL.canParse(text)) throw new UsageError('--link is no address: give one such as https://ci.example/runs/42')
  const { protocol, href } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new UsageError('--link: the address has to begin with http:// or https://')
  return href
}
