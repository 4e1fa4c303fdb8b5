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
