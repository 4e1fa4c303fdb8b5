import type { CredentialSpec } from '../../contract/api-contract.js'
import { UsageError } from '../../kit/usage-error.js'
import { type GivenCredential, givenCredential } from './given-credential.js'

/** {@link credentialAnswer} where the secret is needed at once: a {@link UsageError} where its variable is not set. */
export const credentialAtHand = (...given: Parameters<typeof credentialAnswer>): GivenCredential | undefined => {
  const answer = credentialAnswer(...given)
  if (answer === undefined) return undefined
  const { spec, secret } = answer
  if (secret === undefined) {
    throw new UsageError(`--header names the variable ${spec.env}, which is not set: export ${spec.env}=YOUR-KEY first`)
  }
  return { spec, secret }
}

/** How a credential is shown, and its secret where that is at hand. */
export interface CredentialAnswer {
  readonly spec: CredentialSpec
  readonly secret: string | undefined
}

/** `$ACME_KEY` or `${ACME_KEY}` at the end of a header: the secret is in that variable. */
const reference = /^(.*?)\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/

/** Stands for a secret that is not at hand, where only the way in which it is shown is asked for. */
const standIn = 'user:password'

/**
 * Reads `none`, `Authorization: Bearer $ACME_KEY` or the header with the secret itself; undefined for none. Throws a
 * {@link UsageError} that never repeats what may be the secret.
 */
export const credentialAnswer = (
  text: string,
  target: string,
  environment: Readonly<Record<string, string | undefined>>,
): CredentialAnswer | undefined => {
  if (/^none$/i.test(text.trim())) return undefined
  const [, shown = '', braced, plain] = reference.exec(text.trim()) ?? []
  const env = braced ?? plain
  if (env === undefined) return givenCredential(text, target)
  const secret = environment[env] || undefined
  const held = secret ?? standIn
  const sent = /:\s*basic\s*$/i.test(shown) ? Buffer.from(held).toString('base64') : held
  const given = givenCredential(`${shown}${sent}`, target)
  if (given.secret !== held) {
    throw new UsageError(
      `--header: Bearer $${env} and Basic $${env} (with user:password in it) are known ways to show a credential; of another one the variable has to hold the whole value: 'Authorization: $${env}'`,
    )
  }
  return { spec: { ...given.spec, env }, secret }
}
