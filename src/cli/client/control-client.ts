import { randomBytes } from 'node:crypto'
import { startScriptedServer } from '../../../reference-server/scripted/scripted-server.js'
import { startClient } from './client-process.js'
import type { PlayContext } from './play-case.js'

/** How long the control waits between an answer and its next request. */
const everyMs = 200

/** A client whose schedule is known: it asks, waits for the answer, waits as long as it was told, and asks again. */
const source = `
const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
const ask = () => fetch(url + '/inventory', { headers: { Authorization: 'Bearer ' + key } })
  .then((response) => response.arrayBuffer())
  .then(() => setTimeout(ask, ${everyMs}), () => undefined)
ask()`

/** Two: what holds one of them up may leave the other alone, as it may the client. */
const controls = 2

const startControl = async (context: PlayContext & { readonly environment: NodeJS.ProcessEnv }) => {
  const { clock, zeroMs, input, write, environment } = context
  const key = `control-${randomBytes(15).toString('hex')}`
  let answeredAtMs: number | undefined
  const server = await startScriptedServer({
    script: { kind: 'answers', answers: [{ status: 200, times: 1, delayMs: 0, bare: true }] },
    key,
    clock,
    input,
    onArrival: (seen) => {
      if (answeredAtMs !== undefined) {
        write({ type: 'beat', at: seen.atMs - zeroMs, lateMs: Math.max(0, seen.atMs - answeredAtMs - everyMs) })
      }
      answeredAtMs = seen.answeredAtMs ?? seen.atMs
    },
  })
  const own = { ...environment, PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: key }
  const control = await startClient([process.execPath, '-e', source], own, key)
  context.running.add(control)
  return async () => {
    await control.stop()
    context.running.delete(control)
    await server.close()
  }
}

/** Runs the controls beside `gather`, and writes how late each of their requests comes. */
export const besideControl = async (
  context: PlayContext & { readonly environment: NodeJS.ProcessEnv },
  gather: () => Promise<void>,
): Promise<void> => {
  const stops: (() => Promise<void>)[] = []
  try {
    for (let started = 0; started < controls; started += 1) stops.push(await startControl(context))
    await gather()
  } finally {
    await Promise.all(stops.map((stop) => stop()))
  }
}
