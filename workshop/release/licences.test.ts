import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { licenceObjections, noticesText, shippedLock, shippedPackages } from './licences.js'

const lock = {
  packages: {
    '': { version: '1.0.0', license: 'MIT', dependencies: { b: '*' }, devDependencies: { put: '*', tool: '*' } },
    'node_modules/b': { version: '2.0.0', license: 'ISC', dependencies: { '@s/a': '*' } },
    'node_modules/b/node_modules/@s/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '9.0.0', license: 'GPL-3.0-only', dev: true },
    'node_modules/c': { version: '3.0.0', license: 'MIT', dev: true, optional: true },
    'node_modules/put': { version: '4.0.0', license: 'MIT', dev: true, optionalDependencies: { c: '*', d: '*' } },
  },
}

const shipped = shippedLock({ ...lock, lockfileVersion: 3 }, ['put'])

describe('the licences of what is shipped', () => {
  it('are those of what is installed or put in, and of what that needs, optional and nested ones included', () => {
    expect(shippedPackages(shipped).map(({ name, version, licence }) => [name, version, licence])).toEqual([
      ['@s/a', '1.0.0', 'MIT'],
      ['b', '2.0.0', 'ISC'],
      ['c', '3.0.0', 'MIT'],
      ['put', '4.0.0', 'MIT'],
    ])
  })

  it('stand in a lock of their own, which needs what is put in and nothing for development', () => {
    expect(shipped).toMatchObject({ lockfileVersion: 3, packages: { '': { dependencies: { b: '*', put: '4.0.0' } } } })
    expect(JSON.stringify(shipped)).not.toMatch(/tool|dev/)
  })

  it.each([
    ['is copyleft', 'GPL-3.0-only', 'x@1.0.0: GPL-3.0-only'],
    ['is nobody knows what', 'SEE LICENSE IN X', 'x@1.0.0: SEE LICENSE IN X'],
    ['is not named', undefined, 'x@1.0.0: names no licence'],
  ])('are objected to where one %s', (_, license, said) => {
    const path = 'node_modules/x'
    expect(licenceObjections([{ name: 'x', version: '1.0.0', licence: license, path }])).toEqual([said])
  })

  it('are all allowed in the lock of this package', () => {
    const [own, whole] = ['package.json', 'package-lock.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
    const packages = shippedPackages(shippedLock(whole, own.inlined))
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['zod', 'fastify', 'bullmq']))
    expect(licenceObjections(packages)).toEqual([])
  })

  it('are told with each text once', () => {
    const textOf = ({ name }: { readonly name: string }) => (name === 'c' ? undefined : 'Do as you like.\n')
    const text = noticesText(shippedPackages(shipped), textOf)
    expect(text).toContain('| c | 3.0.0 | MIT |')
    expect(text.split('Do as you like.')).toHaveLength(2)
    expect(text).toContain('## @s/a@1.0.0, b@2.0.0, put@4.0.0')
  })
})
