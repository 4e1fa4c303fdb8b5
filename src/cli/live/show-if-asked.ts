import type { ShownRun } from './shown-run.js'

/** What shows a run in a browser, which is loaded only where that was asked for; undefined elsewhere. */
export const showIfAsked = async ({ open }: { readonly open?: boolean }): Promise<ShownRun | undefined> => {
  if (!open) return undefined
  const { createShownRun } = await import('./shown-run.js')
  const { platform, env: environment, stderr } = process
  // Who asks for the page needs its address, also where nothing else is said.
  const say = (text: string) => stderr.write(`${text}\n`)
  return createShownRun(say, { platform, environment, isTerminal: stderr.isTTY === true })
}
