/** Something that the user gave can't be used. The message says what, where, and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
