import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { licenceObjections, noticesText, shippedPackages, withoutDevelopment } from './licences.js'

const lock = {
  packages: {
    '': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/b/node_modules/@s/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '9.0.0', license: 'GPL-3.0-only', dev: true },
    'node_modules/c': { version: '3.0.0', license: 'MIT', optional: true },
  },
}

describe('the licences of what is shipped', () => {
  it('are those of every package in the lock that is not for development, optional and nested ones included', () => {
    expect(shippedPackages(lock).map(({ name, version, licence }) => [name, version, licence])).toEqual([
      ['@s/a', '1.0.0', 'MIT'],
      ['b', '2.0.0', 'ISC'],
      ['c', '3.0.0', 'MIT'],
    ])
  })

  it('are the same in the lock without what is for development', () => {
    const kept = withoutDevelopment({ ...lock, lockfileVersion: 3 })
    expect(kept).toMatchObject({ lockfileVersion: 3, packages: { '': { version: '1.0.0' } } })
    expect(JSON.stringify(kept)).not.toContain('tool')
    expect(shippedPackages(kept)).toEqual(shippedPackages(lock))
  })

  it.each([
    ['is copyleft', 'GPL-3.0-only', 'x@1.0.0: GPL-3.0-only'],
    ['is nobody knows what', 'SEE LICENSE IN X', 'x@1.0.0: SEE LICENSE IN X'],
    ['is not named', undefined, 'x@1.0.0: names no licence'],
  ])('are objected to where one %s', (_, license, said) => {
    expect(
      licenceObjections(shippedPackages({ packages: { 'node_modules/x': { version: '1.0.0', license } } })),
    ).toEqual([said])
  })

  it('are all allowed in the lock of this package', () => {
    const packages = shippedPackages(JSON.parse(readFileSync('package-lock.json', 'utf8')))
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['zod', 'fastify', 'bullmq']))
    expect(licenceObjections(packages)).toEqual([])
  })

  it('are told with each text once', () => {
    const textOf = ({ name }: { readonly name: string }) => (name === 'c' ? undefined : 'Do as you like.\n')
    const text = noticesText(shippedPackages(lock), textOf)
    expect(text).toContain('| c | 3.0.0 | MIT |')
    expect(text.split('Do as you like.')).toHaveLength(2)
    expect(text).toContain('## @s/a@1.0.0, b@2.0.0')
  })
})
