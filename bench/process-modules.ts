const module = (text: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(text)}`]

/** Arguments for Node to write its peak memory, in KiB, to a file when it ends. */
export const peakMemory = (path: string): string[] =>
  module(`
    import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(path)}, String(process.resourceUsage().maxRSS)))
  `)

/** Arguments for Node to collect garbage every tenth of a second. */
export const collecting: readonly string[] = [
  '--expose-gc',
  ...module('setInterval(() => globalThis.gc(), 100).unref()'),
]
