import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Trust } from './trust.js'

/** A target's certificate, and whether it is trusted. Texts are the target's own. */
export interface ShownCertificate {
  readonly names: readonly string[]
  readonly issuer: string
  readonly validToMs: number
  /** `TLSv1.3`. */
  readonly protocol: string
  /** The code of Node or OpenSSL that says why it is not trusted; undefined if it is. */
  readonly distrust?: string
}

interface TlsQuestion extends Pick<Trust, 'ca'> {
  readonly host: string
  readonly port: number
  /** Where to connect; by default the host's own address. */
  readonly address?: string
  readonly withinMs: number
}

const namesOf = ({ subjectaltname = '', subject }: PeerCertificate): string[] => {
  const names = subjectaltname.split(', ').flatMap((each) => /^(?:DNS|IP Address):(.+)$/.exec(each)?.[1] ?? [])
  return names.length > 0 ? names : [subject?.CN ?? 'nobody'].flat()
}

/** Node passes the code itself, though its types say an error. */
const codeOf = (reason: Error | string): string => (typeof reason === 'string' ? reason : reason.message)

const shownOn = (socket: TLSSocket): ShownCertificate => {
  const certificate = socket.getPeerCertificate()
  const distrust = socket.authorized ? undefined : codeOf(socket.authorizationError)
  return {
    names: namesOf(certificate),
    issuer: [certificate.issuer?.O ?? certificate.issuer?.CN ?? 'nobody'].flat().join(', '),
    validToMs: Date.parse(certificate.valid_to),
    protocol: socket.getProtocol() ?? 'TLS',
    ...(distrust !== undefined && { distrust }),
  }
}

/** Gets a target's certificate and hangs up; sends nothing else. Resolves to undefined if it shows none in time. */
export const shownCertificate = async ({ host, port, address = host, ca, withinMs }: TlsQuestion) => {
  const name = isIP(host) ? {} : { servername: host }
  // An untrusted certificate is to be shown too; nothing is sent to it.
  const socket = connect({ host: address, port, ...name, ...(ca && { ca }), rejectUnauthorized: false })
  const shown = once(socket, 'secureConnect', { signal: AbortSignal.timeout(withinMs) }).then(
    () => shownOn(socket),
    () => undefined,
  )
  return shown.finally(() => socket.destroy())
}
