import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { UsageError } from '../kit/usage-error.js'
import { type ClientCases, clientCasesSchema } from './client-cases.js'

const mostBytes = 256 * 1024

const fileOf = (nameOrPath: string, folder: string): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  throw new UsageError(`there is no file of cases ${nameOrPath}: give the path of a YAML file, or backoff`)
}

/** Reads a file of cases and checks every field. Throws a {@link UsageError} that names file, line and field. */
export const loadClientCases = (nameOrPath: string, folder: string): ClientCases => {
  const file = fileOf(nameOrPath, folder)
  if (statSync(file).size > mostBytes)
    throw new UsageError(`${file}: a file of cases has at most ${mostBytes / 1024} KiB`)
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, schema: 'core', customTags: [] })
  const [error] = document.errors
  if (error) throw new UsageError(`${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`)
  const parsed = clientCasesSchema.safeParse(plainValue(file, document))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      throw new UsageError(`${file}:${lines.linePos(node.range[0]).line}: ${path.join('.') || 'the file'}: ${message}`)
    }
  }
  throw new UsageError(`${file}: ${message}`)
}

/** An alias may stand in for little; one that explodes is refused. */
const plainValue = (file: string, document: ReturnType<typeof parseDocument>): unknown => {
  try {
    return document.toJS({ maxAliasCount: 20 })
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
