import { once } from 'node:events'
import { UsageError } from '../kit/usage-error.js'

/** A server of Node's own kind, such as what `app.listen(0)` returns. */
export interface NodeServer {
  readonly listening: boolean
  address(): { readonly address: string; readonly port: number } | string | null
}

/** The base address of a target, a server that says its own as `url`, or a server of this process. */
export type Target = string | URL | { readonly url: string } | NodeServer

const hasField = <K extends string>(value: unknown, field: K): value is Readonly<Record<K, unknown>> =>
  typeof value === 'object' && value !== null && field in value

const isNodeServer = (value: unknown): value is NodeServer & NodeJS.EventEmitter =>
  hasField(value, 'address') && typeof value.address === 'function' && hasField(value, 'listening')

/** Who listens on every address of this machine is reached by the usual one. */
const reachable = (address: string): string => {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/** The address of a target. Waits until a server listens. Throws a {@link UsageError} where there is none. */
export const targetAddress = async (target: unknown): Promise<string> => {
  if (typeof target === 'string') return target
  if (target instanceof URL) return target.href
  if (hasField(target, 'url')) return String(target.url)
  if (!isNodeServer(target))
    throw new UsageError('expect takes the base address of a target, or a server that listens: expect(app.listen(0))')
  if (!target.listening) await once(target, 'listening')
  const address = target.address()
  if (address === null || typeof address === 'string')
    throw new UsageError('the server that was given to expect listens to no port: give app.listen(0)')
  return `http://${reachable(address.address)}:${address.port}`
}
