import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { scenarioFolder } from '../../run/machine/package-root.js'

/** The names of the bundled scenarios. */
export const scenarioNames = (): string[] =>
  readdirSync(scenarioFolder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()

/** What a bundled scenario asks, from its own description: a line of its file, so that no parser has to be loaded. */
export const scenarioDescription = (name: string): string =>
  /^description: (.+)$/m.exec(readFileSync(join(scenarioFolder, `${name}.yaml`), 'utf8'))?.[1] ?? ''
