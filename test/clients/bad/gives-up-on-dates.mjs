// Keeps seconds, backs off by itself where nothing usable is named, and hands a date on as an error.
import { namedMs, waitAsNamed } from '../named-wait.mjs'
import { giveUp, secondsOf } from '../work.mjs'

await waitAsNamed((response) => {
  const named = namedMs(response)
  if (named !== undefined && secondsOf(response) === undefined) giveUp()
  return named
})
