import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'

/** Folders that list one kind of thing, a file or a room each: there the next one is looked for by its name. */
const lists: Readonly<Record<string, string>> = {
  'src/cli': 'rooms, one for each thing that a command is made of',
  'src/cli/commands': 'a command',
  src: 'the floors',
  'src/checks/petstore/inventory': 'a check',
  'src/probes/petstore': 'a probe',
  'src/probes/profiles': 'a probe',
  'reference-server': 'the rooms of the service',
  bench: 'a measurement',
  docs: 'a page',
}

const tracked = execFileSync('git', ['ls-files', 'src', 'reference-server', 'bench', 'test', 'docs', 'release'], {
  encoding: 'utf8',
})

/** What stands in each folder: files that are no test, and folders. */
const entries = new Map<string, Set<string>>()
for (const file of tracked.split('\n').filter((each) => each !== '' && !each.endsWith('.test.ts'))) {
  for (let each = file; each.includes('/'); each = dirname(each)) {
    const folder = dirname(each)
    entries.set(folder, (entries.get(folder) ?? new Set()).add(each))
  }
}

it('no folder holds more than fifteen files and folders, but for those that list one kind of thing', () => {
  const crowded = [...entries].filter(([, held]) => held.size > 15).map(([folder]) => folder)
  expect(crowded.toSorted()).toEqual(Object.keys(lists).toSorted())
})
