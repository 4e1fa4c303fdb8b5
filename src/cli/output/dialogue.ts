import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline/promises'

/**
 * Asks one question after the other; lines that come early, as from pasted text, are kept. If Ctrl-C or the end of the
 * input closes the terminal, it rejects with an `AbortError`. `rest` releases the terminal until the next question.
 */
export const createDialogue = (
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream & { isTTY?: boolean },
) => {
  const early: string[] = []
  let open: { readonly lines: Interface; readonly left: AbortSignal } | undefined
  const opened = () => {
    const left = new AbortController()
    const lines = createInterface({ input, output })
    lines.on('line', (line) => early.push(line))
    lines.on('close', () => {
      open = undefined
      left.abort()
    })
    return { lines, left: left.signal }
  }
  return {
    isTTY: input.isTTY === true && output.isTTY === true,
    say: (text: string) => void output.write(`${text}\n`),
    async ask(question: string) {
      open ??= opened()
      const { lines, left } = open
      lines.setPrompt(question)
      lines.prompt()
      if (early.length === 0) await once(lines, 'line', { signal: left })
      return early.shift() ?? ''
    },
    rest: () => open?.lines.close(),
  }
}

export type Terminal = Omit<ReturnType<typeof createDialogue>, 'rest'>
