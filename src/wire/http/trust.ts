import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'

/** Whom connections trust besides the system's authorities. */
export interface Trust {
  readonly ca?: string
  /** Sends whatever the certificate of the other side. */
  readonly insecure?: boolean
}

/**
 * Whom connections trust: the system's authorities, and those of a PEM text if given. Made once for all connections of a run
 * or a load, since reading the system's 150 or so authorities takes 10 ms of CPU time.
 */
export const trusting = (ca: string | undefined): { readonly secureContext?: SecureContext } =>
  ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }
