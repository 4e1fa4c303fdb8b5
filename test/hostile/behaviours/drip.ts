import type { Socket } from 'node:net'

/** Writes these bytes one by one, and goes on to the end of the connection. */
export const drip = (socket: Socket, bytes: Buffer, everyMs: number): void => {
  let at = 0
  socket.setNoDelay()
  const timer = setInterval(() => {
    if (at < bytes.length && socket.writable) socket.write(bytes.subarray(at, at + 1))
    at += 1
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Writes what `next` gives as fast as it is taken, until it gives nothing more or the connection ends. */
export const flood = (socket: Socket, next: () => string | Buffer | undefined): void => {
  const fill = () => {
    for (let part = next(); part !== undefined && socket.writable; part = next()) if (!socket.write(part)) return
  }
  socket.on('drain', fill)
  fill()
}
