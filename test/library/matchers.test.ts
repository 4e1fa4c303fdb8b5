import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import '../../src/library/vitest.js'
import { type RunningServer, startReferenceServer } from '../../src/library/reference-server.js'

const timeScale = 20
const options = { keys: { free: 'a-free-key' }, timeScale, seed: 7 }

let sound: RunningServer
let broken: RunningServer

beforeAll(async () => {
  sound = await startReferenceServer({ keys: options.keys, timeScale })
  broken = await startReferenceServer({
    keys: options.keys,
    timeScale,
    faults: ['limit-plus-one', 'error-status-mismatch'],
  })
})

afterAll(() => Promise.all([sound.close(), broken.close()]))

/** What a matcher says of a target that it does not hold for. */
const said = async (matched: Promise<void>): Promise<string> =>
  matched.then(
    () => 'nothing',
    (error: Error) => error.message,
  )

describe('expect(target).toConform', () => {
  const only = ['errors.status-agrees']

  it('holds for a server that keeps the interface, and its contrary does not', async () => {
    await expect(sound).toConform({ ...options, only })
    expect(await said(expect(sound).not.toConform({ ...options, only }))).toMatch(/^✓ PASS {2}Nothing broken in the /)
  })

  it('says what the report says of one that does not', async () => {
    const message = await said(expect(broken.url).toConform({ ...options, only }))
    expect(message).toMatch(/^✗ FAIL {2}.*ERR-2/)
    expect(message).toContain('What failed')
    await expect(broken).not.toConform({ ...options, only })
  })

  it('holds neither way where nobody answers', async () => {
    const nobody = 'http://127.0.0.1:9/v1'
    expect(await said(expect(nobody).toConform(options))).toMatch(/^\? INCONCLUSIVE/)
    expect(await said(expect(nobody).not.toConform(options))).toMatch(/^\? INCONCLUSIVE/)
  })

  it('refuses what is no option in a sentence', async () => {
    const misspelt = { ...options, onyl: only }
    expect(await said(expect(sound).toConform(misspelt))).toBe('options.onyl is not an option: did you mean only?')
  })
})

describe('expect(target).toKeepQuotas', () => {
  // That it holds for a server which keeps them is in `packed.test.ts`.
  it('says which quota is not kept, and by how much', async () => {
    const message = await said(expect(broken).toKeepQuotas(options))
    expect(message).toMatch(/^✗ FAIL {2}Free admits one request too many a minute/)
    expect(message).not.toContain('ERR-2')
  })
})
