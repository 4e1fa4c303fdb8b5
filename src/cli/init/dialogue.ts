import { createInterface, type Interface } from 'node:readline/promises'
import type { Terminal } from '../run/confirm-load.js'

/** A terminal that several questions are put on. */
export interface Dialogue extends Terminal {
  /** Gives the terminal back; the next question takes it again. */
  rest(): void
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Rejects a question whose terminal was closed, by Ctrl-C or the end of the input. */
const left = () => new DOMException('interrupted', 'AbortError')

/** Asks one question after the other; lines that come before they are asked for, as of a text that was pasted, are kept. */
export const createDialogue = (input: Input, output: Output): Dialogue => {
  const early: string[] = []
  let lines: Interface | undefined
  let waiting: { take(line: string): void; leave(): void } | undefined
  const open = (): Interface => {
    const opened = createInterface({ input, output })
    opened.on('line', (line) => {
      const asked = waiting
      // At once: the next line may come before whoever asked has gone on.
      waiting = undefined
      if (asked) asked.take(line)
      else early.push(line)
    })
    opened.on('close', () => {
      lines = undefined
      waiting?.leave()
      waiting = undefined
    })
    return opened
  }
  return {
    isTTY: input.isTTY === true && output.isTTY === true,
    say: (text) => void output.write(`${text}\n`),
    ask(question) {
      lines ??= open()
      lines.setPrompt(question)
      lines.prompt()
      const line = early.shift()
      if (line !== undefined) return Promise.resolve(line)
      return new Promise<string>((resolve, reject) => {
        waiting = { take: resolve, leave: () => reject(left()) }
      })
    },
    rest: () => lines?.close(),
  }
}
