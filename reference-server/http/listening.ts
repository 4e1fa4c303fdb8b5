import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that accepts connections. */
export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
}

/** What it takes of an app: named here, for those who read our types have no fastify. */
interface App {
  readonly server: Server
  listen(where: { readonly host: string; readonly port: number }): PromiseLike<unknown>
  close(): PromiseLike<unknown>
}

/** How soon after its last answer a connection is let go while the server closes. */
const closingSweepMs = 20

/** Lets an app listen; resolves once it accepts connections. `basePath` is the prefix of all that it serves. */
export const listening = async (
  app: App,
  { host = '127.0.0.1', port: asked = 0 }: ListenOptions,
  basePath: string,
): Promise<RunningServer> => {
  await app.listen({ host, port: asked })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`,
    close: async () => {
      // An answer that was under way leaves its connection idle, and open for as long as it may be kept alive.
      const sweep = setInterval(() => app.server.closeIdleConnections(), closingSweepMs)
      try {
        await app.close()
      } finally {
        clearInterval(sweep)
      }
    },
  }
}
