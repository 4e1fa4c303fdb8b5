import { type HeaderLine, headerValues } from '../../evidence/exchange.js'

/** An answer to a gentle request. Times are milliseconds on the run's clock. */
export interface SeenAnswer {
  readonly probe: string
  /** The name of the credential that it showed; null for none. */
  readonly credential: string | null
  readonly sentAt: number
  readonly receivedAt: number
  readonly status: number
  readonly headers: readonly HeaderLine[]
}

/** What a field held in one answer. */
export interface SeenValue {
  readonly text: string
  readonly answer: SeenAnswer
}

/** What a field held in each answer that has it; of several lines all, as one list. */
export const valuesSeen = (answers: readonly SeenAnswer[], name: string): SeenValue[] =>
  answers.flatMap((answer) => {
    const values = headerValues(answer.headers, name)
    return values.length === 0 ? [] : [{ text: values.map((value) => value.trim()).join(', '), answer }]
  })

/** A number for people: `5000`, `0.5`. */
export const plain = (value: number): string => String(Math.round(value * 1000) / 1000)
