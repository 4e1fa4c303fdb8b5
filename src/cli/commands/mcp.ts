import { UsageError } from '../../kit/usage-error.js'
import type { RunEvent } from '../../library/options.js'
import { toolVersion } from '../../run/package.js'
import type { ArgsOf } from '../flags/command.js'
import type { serverCommands } from '../flags/servers.js'
import { interruptibly } from '../output/interruption.js'
import { lineOf } from '../output/progress.js'
import { withoutKeys } from '../output/uncaught-errors.js'
import { type Leave, tools } from './mcp-tools.js'

const loadSdk = async () => {
  try {
    const [server, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    return { ...server, ...stdio, ...types }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      'mcp needs one more package beside quotaspec: run npm install --save-dev @modelcontextprotocol/sdk in the same project, and start it again',
    )
  }
}

const instructions =
  'Tests whether an HTTP API keeps its quotas. Call doctor, then plan, then run, then explain for each broken clause. An API other than the Petstore needs a contract file: discover drafts one. This server reads keys from its environment; no tool takes a key.'

/** How often progress is reported while nothing but requests happens, in milliseconds. */
const tellEveryMs = 1_000

/** Reports a run's progress to the caller: its news, and now and then that it is still going. */
const progressOf = (tell: (progress: { progress: number; total: number; message?: string }) => void) => {
  let last = 0
  return (event: RunEvent, plannedMs: number): void => {
    const message = event.kind === 'defect' ? undefined : lineOf(event)
    // Progress has to increase each time.
    const progress = Math.round(event.at)
    if (progress <= last || (message === undefined && progress - last < tellEveryMs)) return
    last = progress
    tell({
      progress,
      total: Math.max(plannedMs, progress),
      ...(message && { message: withoutKeys(message) }),
    })
  }
}

/** Serves the tools on standard input and output until either is closed, or the signal is aborted. */
const serveOnStdio = async (leave: Leave, signal: AbortSignal): Promise<void> => {
  const { Server, StdioServerTransport, ListToolsRequestSchema, CallToolRequestSchema } = await loadSdk()
  const server = new Server({ name: 'quotaspec', version: toolVersion }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal: cancelled, sendNotification }) => {
    const { name, arguments: given, _meta } = params
    const answer = (text: string, isError: boolean) => ({
      content: [{ type: 'text' as const, text: withoutKeys(text) }],
      isError,
    })
    const tool = tools.find((each) => each.name === name)
    const token = _meta?.progressToken
    const onEvent = progressOf((progress) => {
      if (token === undefined) return
      // The caller may be gone.
      sendNotification({ method: 'notifications/progress', params: { progressToken: token, ...progress } }).catch(
        () => {},
      )
    })
    try {
      if (!tool) throw new UsageError(`there is no tool ${name}: ${tools.map((each) => each.name).join(', ')}`)
      return answer(await tool.call(given, { leave, signal: AbortSignal.any([cancelled, signal]), onEvent }), false)
    } catch (error) {
      if (error instanceof UsageError) return answer(error.message, true)
      throw new Error(withoutKeys(error instanceof Error ? error.message : String(error)))
    }
  })
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  const close = () => void server.close()
  signal.addEventListener('abort', close, { once: true })
  process.stdin.once('end', close)
  await server.connect(new StdioServerTransport())
  await closed
}

/** Throws a {@link UsageError} for anything that is not a host. */
const checkLeave = ({ allow, allowLoad }: Leave): void => {
  for (const [flag, hosts] of [['--allow', allow] as const, ['--allow-load', allowLoad] as const]) {
    const wrong = hosts.find((host) => !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host))
    if (wrong !== undefined) throw new UsageError(`${flag} ${wrong}: not a host like staging.example or 10.0.0.5:8080`)
  }
}

export const mcp = async (args: ArgsOf<typeof serverCommands.mcp>): Promise<void> => {
  const leave = { allow: args.allow, allowLoad: args['allow-load'] }
  checkLeave(leave)
  await interruptibly((signal) => serveOnStdio(leave, signal))
}
