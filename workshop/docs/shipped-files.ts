import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { tableCell } from '../../src/kit/words.js'
import { contractFolder, scenarioFolder } from '../../src/run/package.js'

const scenario = z.object({ description: z.string() })

/** What a contract's head says about the published limits of its API: the paragraph that begins so. */
const published = (text: string): string => {
  const head = text
    .split('\n')
    .filter((line) => line.startsWith('# '))
    .map((line) => line.slice(2))
    .join('\n')
  return (/^As published: ([\s\S]*?)(?=\n(?:Made|Left|Nothing) |$(?!\n))/m.exec(head)?.[1] ?? '').replaceAll('\n', ' ')
}

const tableOf = (folder: string, name: string, said: (text: string) => string): string => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  const rows = files.sort().map((file) => {
    const link = `[\`${file.replace('.yaml', '')}\`](../../${name}/${file})`
    return `| ${link} | ${tableCell(said(readFileSync(join(folder, file), 'utf8')))} |`
  })
  return ['| file | what it is |', '|---|---|', ...rows, ''].join('\n')
}

/** The scenarios and contracts that come with quotaspec, in Markdown, each with a link to its file. */
export const shippedFiles = (): string => {
  const scenarios = tableOf(scenarioFolder, 'scenarios', (text) => scenario.parse(parse(text)).description)
  const contracts = tableOf(contractFolder, 'contracts', published)
  return `## Scenarios\n\n${scenarios}\n## Contracts\n\nAs published of each API:\n\n${contracts}`
}
