import { UsageError } from '../../kit/usage-error.js'
import { isLoopback, parseTarget } from '../../run/options/target.js'

/** The hosts that were named when the server was started, each with a port or for any. */
export interface Leave {
  /** May be asked, gently. */
  readonly allow: readonly string[]
  /** May get load, too. */
  readonly allowLoad: readonly string[]
}

/** Throws a {@link UsageError} for what is no host. */
export const checkLeave = ({ allow, allowLoad }: Leave): void => {
  for (const [flag, hosts] of [['--allow', allow] as const, ['--allow-load', allowLoad] as const]) {
    const wrong = hosts.find((host) => !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host))
    if (wrong !== undefined) throw new UsageError(`${flag} ${wrong}: a host, such as staging.example or 10.0.0.5:8080`)
  }
}

const names = (hosts: readonly string[], target: string): boolean => {
  const { host, hostname } = new URL(target)
  return hosts.some((each) => [host, hostname].includes(each.toLowerCase()))
}

/** Whether load may go to an address: to this machine, and to hosts that were named for it. */
export const mayLoad = ({ allowLoad }: Leave, target: string): boolean => isLoopback(target) || names(allowLoad, target)

/** The address, if it may be asked at all: keys go there. Throws a {@link UsageError} that says who can allow it. */
export const askable = (leave: Leave, text: string | undefined): string => {
  const target = parseTarget(text, 'target')
  if (mayLoad(leave, target) || names(leave.allow, target)) return target
  const { host } = new URL(target)
  throw new UsageError(
    `nothing may be sent to ${host}: this server may reach this machine alone. Ask the user to start it with --allow ${host}, or for load with --allow-load ${host}`,
  )
}
