import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The pages that users read, by their path in the repository. */
const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
]

const shells: readonly string[] = ['', 'sh', 'bash', 'console']

/** The lines of a page's blocks that are for a shell, or say of no language; without comments. */
const shellLines = (text: string): readonly string[] => {
  const lines: string[] = []
  let language: string | undefined
  for (const line of text.split('\n')) {
    const fence = /^```(\w*)/.exec(line)
    if (fence) language = language === undefined ? fence[1] : undefined
    else if (language !== undefined && shells.includes(language)) lines.push(line.replace(/\s+# .*$/, '').trim())
  }
  return lines
}

/** The commands of quotaspec that a page shows, each as it is typed; aligned ones without their padding. */
export const commandsIn = (text: string): readonly string[] =>
  shellLines(text)
    .map((line) => /^(?:npx )?(quotaspec .*)$/.exec(line)?.[1].replaceAll(/ {2,}/g, ' '))
    // What a shell does with the exit code is no word of the command.
    .map((line) => line?.replace(/ \|\| .*$/, ''))
    .filter((line) => line !== undefined)

/** Every command that is shown, with the page that shows it first. */
export const shownCommands = (): ReadonlyMap<string, string> => {
  const shown = new Map<string, string>()
  for (const page of pages)
    for (const command of commandsIn(readFileSync(join(root, page), 'utf8')))
      if (!shown.has(command)) shown.set(command, page)
  return shown
}
