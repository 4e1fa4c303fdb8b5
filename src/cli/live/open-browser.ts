import { spawn } from 'node:child_process'

/** Where the program runs, as far as it tells whether a browser can be opened. */
export interface Desk {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
}

/** The command that opens a page in the user's browser; undefined where nobody sits here, or there is no screen. */
export const browserCommand = ({ platform, environment, isTerminal }: Desk): readonly string[] | undefined => {
  if (!isTerminal || environment.CI) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  // Without a screen, xdg-open would put a text browser on the terminal.
  const hasScreen = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens a page in the user's browser, where that can be; says whether it was tried. Never throws. */
export const openBrowser = (url: string, desk: Desk): boolean => {
  const [command, ...before] = browserCommand(desk) ?? []
  if (command === undefined) return false
  const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true })
  // Who has no such command opens the address by hand.
  child.once('error', () => {})
  child.unref()
  return true
}
