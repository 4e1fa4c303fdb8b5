import { UsageError } from '../../kit/usage-error.js'
import type { Terminal } from '../run/confirm-load.js'

/** Something that has to be known: asked on a terminal, given by a flag elsewhere. */
export interface Question<T> {
  readonly flag: string
  /** As a terminal asks it. */
  readonly asks: string
  /** Stands above it. */
  readonly hint?: string
  /** What to type, with an example. */
  readonly wanted: string
  /** What an empty answer on a terminal stands for; absent: it is asked again. */
  readonly usual?: string
  /** Throws a {@link UsageError} that says what to type instead. */
  read(text: string): T
}

/** Answers a question by its flag, else by asking. Throws a {@link UsageError} that names the flag where nobody can be asked. */
export type Answer = <T>(question: Question<T>, given: string | undefined) => Promise<T>

const promptOf = ({ asks, usual }: Question<unknown>): string => `${asks}${usual === undefined ? '' : ` [${usual}]`}: `

/** Answers questions on a terminal, again and again until an answer can be used. */
export const answersFrom =
  (terminal: Terminal): Answer =>
  async (question, given) => {
    if (given !== undefined) return question.read(given)
    if (!terminal.isTTY) throw new UsageError(`--${question.flag} is missing: ${question.wanted}`)
    if (question.hint !== undefined) terminal.say(question.hint)
    for (;;) {
      const text = (await terminal.ask(promptOf(question))).trim() || question.usual
      if (text === undefined) {
        terminal.say(question.wanted)
        continue
      }
      try {
        return question.read(text)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        terminal.say(error.message)
      }
    }
  }
