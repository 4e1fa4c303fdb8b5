import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

/** Whom connections trust besides the system's authorities. */
export interface Trust {
  readonly ca?: string
  /** Sends to whoever answers, whatever its certificate. */
  readonly insecure?: boolean
}

/**
 * Whom connections trust: the system's authorities and those of a PEM text, or of the system alone. It is made once for all
 * connections of a run or a load, because reading the system's some 150 authorities takes 10 ms of a processor.
 */
export const trusting = (ca: string | undefined): { readonly secureContext?: SecureContext } =>
  ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }
