import { describe, expect, it } from 'vitest'
import { readable } from './exchange-sender.js'

const received = (content: Buffer) => ({ content, bytes: content.length, truncated: false, isCut: false })

describe('a body', () => {
  it.each([
    ['[1,2,3]', 3, '[1,2,3]'],
    ['[1,2,3,4]', 3, '[1,2,3'],
    ['{"a":"1","b":"2"}', 20, '{"a":"1","b":"2"}'],
    ['no value but one', 3, 'no value but one'],
  ])('%s, of which %i values are read, is read as %s', (body, most, read) => {
    expect(readable(received(Buffer.from(body)), most).content.toString()).toBe(read)
  })

  it('of a large inventory is read whole', () => {
    const inventory = received(Buffer.from(`[${'{"petId":1,"quantity":2,"status":"available"},'.repeat(150_000)}{}]`))
    expect(readable(inventory)).toBe(inventory)
  })

  it('of more values than can be read says that it was cut', () => {
    const dense = received(Buffer.from(`[${'0,'.repeat(1_500_000)}0]`))
    expect(readable(dense)).toMatchObject({ bytes: 3_000_003, truncated: true, isCut: true })
    const usual = received(Buffer.from('[0,0]'))
    expect(readable(usual)).toBe(usual)
  })
})
