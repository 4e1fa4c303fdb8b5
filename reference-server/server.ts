import { buildApp } from './app.js'
import { listening, type RunningServer } from './http/listening.js'
import type { ReferenceServerOptions } from './server-options.js'

export type { RunningServer } from './http/listening.js'

/** Starts the reference server; resolves once it accepts connections. Its base address ends with /v1. */
export const startReferenceServer = async (options: ReferenceServerOptions = {}): Promise<RunningServer> => {
  const app = buildApp(options)
  return listening(app, options, app.basePath)
}
