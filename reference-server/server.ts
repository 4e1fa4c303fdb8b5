import type { AddressInfo } from 'node:net'
import { buildApp } from './app.js'
import type { ReferenceServerOptions } from './server-options.js'

export interface RunningServer {
  /** Its base address, which ends with /v1. */
  readonly url: string
  /** Stops listening, lets what is under way be answered, and then resolves. */
  close(): Promise<void>
}

/** How soon after its last answer a connection is let go while the server closes. */
const closingSweepMs = 20

/** Starts the reference server; resolves once it accepts connections. */
export const startReferenceServer = async (options: ReferenceServerOptions = {}): Promise<RunningServer> => {
  const app = buildApp(options)
  const host = options.host ?? '127.0.0.1'
  await app.listen({ host, port: options.port ?? 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${app.basePath}`,
    close: async () => {
      // An answer that was under way leaves its connection idle, and open for as long as it may be kept alive.
      const sweep = setInterval(() => app.server.closeIdleConnections(), closingSweepMs)
      await app.close().finally(() => clearInterval(sweep))
    },
  }
}
