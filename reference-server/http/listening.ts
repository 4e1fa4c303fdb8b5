import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that accepts connections. */
export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host?: string
  /** 0 for any free port. */
  readonly port?: number
}

/** The parts of an app that are used; spelled out because users of our types have no fastify. */
interface App {
  readonly server: Server
  listen(where: { readonly host: string; readonly port: number }): PromiseLike<unknown>
  close(): PromiseLike<unknown>
}

/** How often idle connections are closed while the server closes. */
const closingSweepMs = 20

/** Makes an app listen; resolves once it accepts connections. `basePath` is the prefix of everything it serves. */
export const listening = async (app: App, { host = '127.0.0.1', port: asked = 0 }: ListenOptions, basePath: string) => {
  await app.listen({ host, port: asked })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`,
    close: async () => {
      // A connection that was still sending an answer then becomes idle, and stays open for its keep-alive time.
      const sweep = setInterval(() => app.server.closeIdleConnections(), closingSweepMs)
      try {
        await app.close()
      } finally {
        clearInterval(sweep)
      }
    },
  }
}
