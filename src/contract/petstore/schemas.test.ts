import { describe, expect, it } from 'vitest'
import { readJson } from '../../kit/json.js'
import { errorBody, integer, inventoryItem, inventoryUpdate, petId } from './schemas.js'

const read = (text: string): unknown => {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(reading.detail)
  return reading.value
}

describe('an integer', () => {
  it.each([
    ['5', 5n],
    ['5.0', 5n],
    ['-1', -1n],
    ['1e3', 1000n],
    ['9007199254740993', 9007199254740993n],
    ['99999999999999999999', 99999999999999999999n],
  ])('is %s, to the digit', (text, value) => {
    expect(integer.parse(read(text))).toBe(value)
  })

  it.each(['"5"', '5.5', 'null', 'true', '[5]', '{}', '""'])('is not %s', (text) => {
    expect(integer.safeParse(read(text)).success).toBe(false)
  })

  it('is not a number that was read with loss', () => {
    expect(integer.safeParse(5).success).toBe(false)
  })
})

describe('a petId', () => {
  it.each([
    ['9223372036854775807', true],
    ['-9223372036854775808', true],
    ['0', true],
    ['9223372036854775808', false],
    ['-9223372036854775809', false],
    ['1.5', false],
  ])('may be %s: %s', (text, fits) => {
    expect(petId.safeParse(read(text)).success).toBe(fits)
  })
})

describe('an inventory entry', () => {
  it('keeps the fields that the interface does not have', () => {
    const entry = inventoryItem.parse(read('{"petId":7,"quantity":-3,"status":"sold","colour":"red"}'))
    expect(entry).toEqual({ petId: 7n, quantity: -3n, status: 'sold', colour: 'red' })
  })

  it.each([
    '{"quantity":1,"status":"sold"}',
    '{"petId":1,"status":"sold"}',
    '{"petId":1,"quantity":1}',
    '{"petId":1,"quantity":1,"status":"Sold"}',
    '{"petId":1,"quantity":"1","status":"sold"}',
    '[]',
    'null',
  ])('is not %s', (text) => {
    expect(inventoryItem.safeParse(read(text)).success).toBe(false)
  })
})

describe('the other bodies', () => {
  it('an update is an object with a quantity', () => {
    expect(inventoryUpdate.parse(read('{"quantity":5}'))).toEqual({ quantity: 5n })
    expect(inventoryUpdate.safeParse(read('{"qty":5}')).success).toBe(false)
  })

  it.each([
    ['{"code":"c","message":"m","status":404}', true],
    ['{"code":"","message":"","status":404.0,"more":[]}', true],
    ['{"code":404,"message":"m","status":404}', false],
    ['{"code":"c","message":"m","status":"404"}', false],
    ['{"code":"c","status":404}', false],
    ['{"message":"m","status":404}', false],
    ['{"code":"c","message":"m"}', false],
  ])('an error body is %s: %s', (text, fits) => {
    expect(errorBody.safeParse(read(text)).success).toBe(fits)
  })
})
