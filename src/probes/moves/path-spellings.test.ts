import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pathSpellings } from './path-spellings.js'

it.each([
  ['/items', '/items/', '//items', '/%69tems', '/Items'],
  ['/v1/items?q=a/b', '/v1/items/?q=a/b', '/v1//items?q=a/b', '/v1/%69tems?q=a/b', '/v1/Items?q=a/b'],
  ['/items/', undefined, '//items/', '/%69tems/', '/Items/'],
  ['/items/42', '/items/42/', '/items//42', '/%69tems/42', '/Items/42'],
  ['/Items', '/Items/', '//Items', '/%49tems', '/ITems'],
  ['/LIST', '/LIST/', '//LIST', '/%4cIST', undefined],
  ['/%2f', '/%2f/', '//%2f', undefined, undefined],
  ['/%2fb', '/%2fb/', '//%2fb', '/%2f%62', '/%2fB'],
  ['/', undefined, undefined, undefined, undefined],
  ['/?q=a', undefined, undefined, undefined, undefined],
])('%s is written otherwise as %s, %s, %s and %s', (path, slash, doubled, encoded, capital) => {
  expect(pathSpellings(path)).toEqual({
    ...(slash && { 'a trailing slash': slash }),
    ...(doubled && { 'a doubled slash': doubled }),
    ...(encoded && { 'a percent-encoded letter': encoded }),
    ...(capital && { 'a capital letter': capital }),
  })
})

it('means the same path, whoever undoes its spelling, and is another text', () => {
  const segment = fc.string({ unit: fc.constantFrom(...'aZ9-'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), (segments) => {
      const path = `/${segments.join('/')}`
      const plain = (text: string) =>
        decodeURIComponent(text)
          .replace(/\/+/g, '/')
          .replace(/(?<=.)\/$/, '')
          .toLowerCase()
      for (const other of Object.values(pathSpellings(path))) {
        expect(other).not.toBe(path)
        expect(plain(other)).toBe(plain(path))
      }
    }),
  )
})
