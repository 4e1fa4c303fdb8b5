import { readFileSync, statSync } from 'node:fs'
import { planNames } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'

const mostBytes = 64 * 1024
const form = new RegExp(`^(?:${planNames.join('|')})=.`)

/**
 * The keys of a file, each as PLAN=SECRET: one a line; blank lines and those that begin with # are left out. Throws a
 * {@link UsageError} that names file and line, and never a secret.
 */
export const readKeyFile = (path: string): string[] => {
  let text: string
  try {
    if (statSync(path).size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KiB`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--key-file ${path} can't be read: ${error instanceof Error ? error.message : error}`)
  }
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const key = line.trim()
      if (key === '' || key.startsWith('#')) return []
      if (form.test(key)) return [key]
      throw new UsageError(`${path}:${index + 1}: a line is PLAN=SECRET, where PLAN is ${planNames.join(', ')}`)
    })
}
