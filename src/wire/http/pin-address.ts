import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { defaultExchangeLimits } from './exchange-limits.js'

interface Address {
  readonly address: string
  readonly family: number
}

/** The address for all connections of a run, or why it could not be found. */
export type PinnedAddress = Address | { readonly error: Error }

export type Resolve = (host: string) => Promise<readonly Address[]>

const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

/** How many addresses of a name are tried: each may take as long as connecting may. */
const mostAddresses = 8

const accepts = async ({ address }: Address, port: number, withinMs: number): Promise<boolean> => {
  const socket = connect({ host: address, port })
  const isOpen = once(socket, 'connect', { signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  )
  return isOpen.finally(() => socket.destroy())
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/**
 * Resolves the host of a base address once, so that a run cannot be redirected to another machine midway. Of several
 * addresses it takes the first that accepts a connection; it sends nothing on that. Never rejects, and takes at most
 * `withinMs` for the name and for each address.
 */
export const pinAddress = async (
  baseUrl: string,
  {
    withinMs = defaultExchangeLimits.connectMs,
    resolve = resolveBySystem,
  }: { readonly withinMs?: number; readonly resolve?: Resolve } = {},
): Promise<PinnedAddress> => {
  const url = new URL(baseUrl)
  const host = hostOf(url)
  if (isIP(host)) return { address: host, family: isIP(host) }
  const late = new Error(`the name ${host} was not resolved within ${withinMs} ms`)
  const found = await Promise.race([
    resolve(host).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
    after(withinMs, late, { ref: false }),
  ])
  if (found instanceof Error) return { error: found }
  const addresses = found.slice(0, mostAddresses)
  const [first] = addresses
  if (!first) return { error: new Error(`the name ${host} has no address`) }
  if (addresses.length === 1) return first
  for (const each of addresses) if (await accepts(each, portOf(url), withinMs)) return each
  return first
}

/** Whether a name was looked up, and stays on this machine. */
export const isHere = (pinned: PinnedAddress): boolean => !('error' in pinned) && isLoopbackAddress(pinned.address)

export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address)
