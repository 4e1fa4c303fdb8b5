const module = (text: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(text)}`]

/** Arguments of Node that write the most memory that the process ever held, in KiB, to a file as it ends. */
export const peakMemory = (path: string): string[] =>
  module(`
    import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(path)}, String(process.resourceUsage().maxRSS)))
  `)

/** Arguments of Node that collect garbage every tenth of a second. */
export const collecting: readonly string[] = [
  '--expose-gc',
  ...module('setInterval(() => globalThis.gc(), 100).unref()'),
]
