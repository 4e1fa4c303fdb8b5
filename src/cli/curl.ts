import type { Exchange } from '../evidence/exchange.js'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A recorded header with the key's label turned into the variable that holds it. */
const header = (name: string, value: string): string => {
  const label = /‹(free|pro|business|enterprise)[^›]*›/.exec(value)
  if (!label) return `-H ${quoted(`${name}: ${value}`)}`
  const before = value.slice(0, label.index)
  const after = value.slice(label.index + label[0].length)
  return `-H ${quoted(`${name}: ${before}`)}"$QUOTASPEC_KEY_${label[1].toUpperCase()}"${after === '' ? '' : quoted(after)}`
}

/** A command that sends an exchange again; the key stays in its environment variable. */
export const curlOf = ({ request }: Exchange): string => {
  const parts = ['curl -sS -i']
  if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  parts.push(quoted(request.url), ...request.headers.map(([name, value]) => header(name, value)))
  if (request.body) {
    const { encoding, content, truncated } = request.body
    if (encoding === 'utf8' && !truncated) parts.push(`--data-binary ${quoted(content)}`)
    else
      parts.push(
        `--data-binary @body   # ${request.body.bytes} bytes, kept in the journal${truncated ? ' in part' : ''}`,
      )
  }
  return parts.join(' ')
}
