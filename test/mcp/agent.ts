import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))

const answer = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
})

export interface Agent {
  readonly client: Client
  /** Calls a tool: its text, and whether that is an error. */
  call(
    name: string,
    given: object,
    options?: RequestOptions,
  ): Promise<{ readonly text: string; readonly isError: boolean }>
  /** Every message that was sent or came, as it was on the wire. */
  readonly messages: readonly string[]
  /** How many tools were called. */
  calls(): number
}

/** Starts the built program as a coding agent does, has it used by the protocol's own client, and ends it. */
export const withAgent = async <T>(
  { args = [], env = {}, cwd }: { args?: readonly string[]; env?: Readonly<Record<string, string>>; cwd: string },
  use: (agent: Agent) => Promise<T>,
): Promise<T> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: { ...getDefaultEnvironment(), ...env },
    cwd,
    stderr: 'ignore',
  })
  const messages: string[] = []
  const client = new Client({ name: 'an-agent', version: '1.0.0' })
  const send = transport.send.bind(transport)
  transport.send = (message: JSONRPCMessage) => {
    messages.push(JSON.stringify(message))
    return send(message)
  }
  const connected = client.connect(transport)
  const heard = transport.onmessage
  transport.onmessage = (message: JSONRPCMessage) => {
    messages.push(JSON.stringify(message))
    heard?.(message)
  }
  await connected
  let calls = 0
  try {
    return await use({
      client,
      messages,
      calls: () => calls,
      async call(name, given, options = {}) {
        calls += 1
        const params = { name, arguments: { ...given } }
        const { content, isError = false } = answer.parse(
          await client.callTool(params, undefined, { timeout: 300_000, ...options }),
        )
        return { text: content.map(({ text }) => text).join('\n'), isError }
      },
    })
  } finally {
    await client.close()
  }
}
