import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A target for a test: a function of each connection, at byte level. */
export interface Target {
  readonly url: string
  readonly port: number
  /** Connections accepted so far. */
  readonly accepted: () => number
  close(): Promise<void>
}

/** The text of an answer, with a body of known length unless `headers` say otherwise. */
export const answer = (status: number, headers: readonly string[] = [], body = 'ok'): string =>
  [`HTTP/1.1 ${status} Reason`, `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')

/** Starts a server on a free loopback port that hands each request's bytes to `onRequest`. */
export const startTarget = async (
  onRequest: (socket: Socket, nth: number, head: string) => void,
  onConnection: (socket: Socket) => void = () => {},
  make: (listener: (socket: Socket) => void) => Server = createServer,
): Promise<Target> => {
  const sockets = new Set<Socket>()
  let accepted = 0
  let nth = 0
  const server = make((socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        text = text.slice(end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0))
        onRequest(socket, nth++, head)
      }
    })
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/inventory`,
    port,
    accepted: () => accepted,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
