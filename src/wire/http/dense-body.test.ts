import { describe, expect, it } from 'vitest'
import { firstValues, readable } from './exchange-sender.js'

describe('a body', () => {
  it.each([
    ['[1,2,3]', 3, '[1,2,3]'],
    ['[1,2,3,4]', 3, '[1,2,3'],
    ['{"a":"1","b":"2"}', 20, '{"a":"1","b":"2"}'],
    ['no value but one', 3, 'no value but one'],
  ])('%s, of which %i values are read, is read as %s', (body, most, read) => {
    expect(firstValues(Buffer.from(body), most).toString()).toBe(read)
  })

  it('of a large inventory is read whole', () => {
    const inventory = Buffer.from(`[${'{"petId":1,"quantity":2,"status":"available"},'.repeat(150_000)}{}]`)
    expect(firstValues(inventory)).toBe(inventory)
  })

  it('of more values than can be read says that it was cut', () => {
    const told = { bytes: 3_000_000, truncated: false, isCut: false }
    const dense = { content: Buffer.from(`[${'0,'.repeat(1_500_000)}0]`), ...told }
    expect(readable(dense)).toMatchObject({ bytes: 3_000_000, truncated: true, isCut: true })
    const usual = { content: Buffer.from('[0,0]'), ...told }
    expect(readable(usual)).toBe(usual)
  })
})
