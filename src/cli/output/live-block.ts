/** A block of lines at the end of what a terminal shows, which is written over. */
export const liveBlock = (output: { write(text: string): unknown }) => {
  let drawn = 0
  return {
    /** Writes the lines in place of those that stand there. */
    draw(lines: readonly string[]) {
      const above = drawn > 0 ? `\u001b[${drawn}A` : ''
      output.write(`${above}${lines.map((line) => `\r\u001b[2K${line}\n`).join('')}`)
      drawn = lines.length
    },
    /** Takes the block off the screen. */
    erase() {
      if (drawn > 0) output.write(`\u001b[${drawn}A\r\u001b[J`)
      drawn = 0
    },
  }
}
