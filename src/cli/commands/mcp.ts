import type { ArgsOf } from '../flags/command.js'
import type { mcpSurface } from '../flags/servers.js'
import { checkLeave } from '../mcp/reach.js'
import { serveOnStdio } from '../mcp/serve.js'
import { interruptibly } from '../output/interruption.js'

/** Serves quotaspec's tools to a coding agent, on standard input and output. */
export const mcp = async (args: ArgsOf<typeof mcpSurface>): Promise<void> => {
  const leave = { allow: args.allow, allowLoad: args['allow-load'] }
  checkLeave(leave)
  await interruptibly((signal) => serveOnStdio(leave, signal))
}
