import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unescaped } from './redaction.js'

describe('a text with its escapes undone', () => {
  it.each([
    ['Plain Text', 'plain text'],
    ['%41%2d%2541%252541', 'a-aa'],
    ['\\u0041\\x41\\\\u0041', 'aaa'],
    ['&lt;&#65;&#x41;&amp;gt;&AMP;&quot;', '<aa>&"'],
    ['\\"a\\\\\\"b\\/c\\n', '"a"b/cn'],
    ['a\u0000b\u0000', 'ab'],
    ['%5Cx', 'x'],
    ['100% & more: %zz &#999999; &copy;', '100% & more: %zz &#999999; &copy;'],
    ['İSTANBUL A', 'İstanbul a'],
  ])('is, of %j, %j', (original, text) => {
    expect(unescaped(original).text).toBe(text)
  })

  it('knows where each of its characters stood', () => {
    const original = 'x%41\\"yz&lt;!'
    const { text, places } = unescaped(original)
    expect(text).toBe('xa"yz<!')
    expect([...text, ''].map((_, i) => places?.[i])).toEqual([0, 1, 5, 6, 7, 8, 12, 13])
  })

  it('never stands in another order than the original, nor beyond its end', () => {
    const piece = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('%41', '\\u0041', '\\', '&amp;', '\u0000', 'İ'))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const original = pieces.join('')
        const { text, places } = unescaped(original)
        if (places === null) expect(text.length).toBe(original.length)
        const used = [...(places?.subarray(0, text.length + 1) ?? [original.length])]
        expect(used).toEqual(used.toSorted((a, b) => a - b))
        expect(used.at(-1)).toBe(original.length)
      }),
    )
  })
})
