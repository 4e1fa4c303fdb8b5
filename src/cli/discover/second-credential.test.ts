import { describe, expect, it } from 'vitest'
import { secondCredential } from './second-credential.js'

const credential = { scheme: 'header', name: 'X-Api-Key', env: 'ACME_KEY' } as const
const served = { is: 'served', because: 'seen' } as const
const turnedAway = { is: 'turned away', because: 'seen' } as const

describe('what is said of a second credential', () => {
  it.each<[string, Parameters<typeof secondCredential>[0], Parameters<typeof secondCredential>[1]['anonymous']]>([
    ['nothing where none was given', { credential: undefined }, undefined],
    ['nothing where callers without one are served, which are the second', { credential }, served],
  ])('%s', (_, asked, anonymous) => {
    expect(secondCredential(asked, { anonymous, quotas: [] })).toEqual([])
  })

  it.each([[undefined], [turnedAway]])('what to add, and what takes it, where %j else asks', (anonymous) => {
    const text = secondCredential({ credential }, { anonymous, quotas: [] }).join('\n')
    expect(text).toContain('QUOTA-4')
    expect(text).toContain('\n          other: {scheme: header X-Api-Key, env: ACME_KEY_2}\n')
  })
})
