import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cutHeaders } from '../evidence/kept-headers.js'

const source = join(import.meta.dirname, '..')

/** Every header that a check or a reading asks for by its own name, and the file that does. */
const asked = ['checks', 'petstore/checks', 'readings']
  .flatMap((room) =>
    readdirSync(join(source, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  )
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\btesting\b/.test(file))
  .flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return Array.from(text.matchAll(/\bheaderValues\([^()]*, '([^']+)'\)/g), ([, name]) => ({ file, name }))
  })

it('finds what is asked for', () => {
  expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['Cache-Control', 'WWW-Authenticate', 'Date']))
})

it.each(asked)('$name, which $file reads, is kept where a run has no room for all: see `readByName`', ({ name }) => {
  expect(cutHeaders([[name, 'x']])).toEqual([[name, 'x']])
})
