import { UsageError } from '../../kit/usage-error.js'

/** Where a server was to listen. */
export interface Place {
  readonly host: string
  readonly port: number
}

const sentences: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `--port ${port}: another program listens at ${host}:${port} already; end it, or take another port: --port 0 takes a free one`,
  EACCES: ({ port }) => `--port ${port}: this user may not listen there; take a port above 1023, such as --port 8080`,
  EADDRNOTAVAIL: ({ host }) =>
    `--host ${host}: this machine has no such address; 127.0.0.1 is its own, 0.0.0.0 are all`,
  ENOTFOUND: ({ host }) => `--host ${host}: no address has that name; 127.0.0.1 is this machine's own`,
  EAI_AGAIN: ({ host }) =>
    `--host ${host}: nobody could be asked for the address of that name; give the address itself`,
}

/** What to throw where a server could not listen: a usage error where the place is to blame, else the error as it is. */
export const whyNotListening = (error: unknown, place: Place): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = sentences[code]
  return sentence === undefined ? error : new UsageError(sentence(place))
}

/** What is to be said where a server can be reached from other machines; undefined where only from this one. */
export const publicWarning = (host: string): string | undefined =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
    ? undefined
    : `WARNING: --host ${host}: other machines can reach this server; it is made for tests, and speaks no TLS`
