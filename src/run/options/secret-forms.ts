import { isScalar, visit } from 'yaml'
import { planNames } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'
import { isVariableName } from '../../kit/variable-name.js'
import type { YamlFile } from '../../kit/yaml-file.js'

/** What a secret looks like wherever it stands: a key with its plan, a header's value, tokens of known issuers. */
const forms: readonly RegExp[] = [
  new RegExp(`^(?:${planNames.join('|')})=(?!minute:)\\S`, 'i'),
  /^(?:authorization\s*:\s*)?(?:bearer|basic)\s+\S{5}/i,
  /^(?:[sprw]k|api|key|token)[-_](?:live|test|proj)[-_]?\w{8}/i,
  /^sk-[\w-]{16}/,
  /^gh[a-z]_\w{16}/,
  /^github_pat_\w{16}/,
  /^glpat-[\w-]{16}/,
  /^xox[a-z]-[\w-]{8}/,
  /^(?:AKIA|ASIA)[0-9A-Z]{16}$/,
  /^eyJ[\w-]{4,}\.[\w-]+\./,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*@/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
]

/** Fields in which people write secrets. */
const fields =
  /^(?:(?:api|access)?[-_]?keys?(?:[-_]?(?:free|pro|business|enterprise))?|(?:.*[-_])?(?:token|secret|password)|authorization|QUOTASPEC_KEY_\w+)$/i

const isSecret = (value: unknown): boolean => typeof value === 'string' && forms.some((form) => form.test(value.trim()))

/**
 * Throws a {@link UsageError} where something in a file looks like a secret, or stands where people write one. It names
 * file and line, and repeats nothing of what stands there.
 */
export const refuseSecrets = ({ file, document, lines }: YamlFile): void => {
  const refuse = (offset: number): never => {
    throw new UsageError(
      `${file}:${lines.linePos(offset).line}: this looks like a secret, and none may stand in this file (it is not shown): put it into a variable of the environment, and name that variable: keys: {free: ACME_KEY_FREE}`,
    )
  }
  visit(document, {
    Scalar(_, node) {
      if (isSecret(node.value)) refuse(node.range?.[0] ?? 0)
    },
    Pair(_, pair) {
      const { key, value } = pair
      if (!isScalar(key) || key.value === 'keys' || !fields.test(String(key.value))) return
      // Under `keys` a credential may be called token: then a variable stands there.
      const isNamed = isScalar(value) && (value.value === null || isVariableName(String(value.value)))
      if (isScalar(value) && !isNamed) refuse(key.range?.[0] ?? 0)
    },
  })
}
