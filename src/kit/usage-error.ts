/** Something that the user gave can't be used. The message says what, where, and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What went wrong, in the words of whatever was thrown. */
export const whyOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
