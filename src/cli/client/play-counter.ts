import { liveBlock } from '../output/live-block.js'
import type { ProgressOutput } from '../output/progress.js'

/** Tells on a terminal how many plays are done, as `41 of 58 plays done`; elsewhere it says nothing. */
export const playCounter = (
  plays: number,
  output: ProgressOutput = process.stderr,
  environment: Readonly<Record<string, string | undefined>> = process.env,
) => {
  const isLive = output.isTTY === true && environment.TERM !== 'dumb'
  const block = liveBlock(output)
  let done = 0
  const draw = () => {
    if (isLive) block.draw([`${done} of ${plays} plays done`])
  }
  draw()
  return {
    /** One more is done. */
    count() {
      done += 1
      draw()
    },
    /** Takes the line off the screen. */
    end: () => block.erase(),
  }
}
