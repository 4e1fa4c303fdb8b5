import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip, markdownCode, markupLines, markupText, visible } from './escape.js'

describe('visible text', () => {
  it.each([
    ['\u001b[31mred', '␛[31mred', 'an ANSI escape'],
    ['\u009b31m', '‹U+009B›31m', 'the one-character form of it'],
    ['a\r\nb\tc', 'a␍␊b␉c', 'line ends and tabs'],
    ['\u202egnp', '‹U+202E›gnp', 'a right-to-left override'],
    ['a\u200bb', 'a‹U+200B›b', 'a character without width'],
    ['\ud800x', '‹U+D800›x', 'half a surrogate pair'],
    ['\u{e0041}', '‹U+E0041›', 'a tag character'],
    ['ünïcödé 猫 😀', 'ünïcödé 猫 😀', 'ordinary text, which stays as it is'],
  ])('shows %j as %j: %s', (given, shown) => {
    expect(visible(given)).toBe(shown)
  })

  it('keeps line feeds and tabs of a body, and nothing else that acts', () => {
    expect(markupLines('a\r\n\tb\u0008')).toBe('a\n\tb␈')
  })

  it('never lets a control or a mark of direction through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\p{Surrogate}]/u)
      }),
    )
  })
})

describe('markup', () => {
  it('never holds a bare angle bracket, quote or ampersand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const escaped of [markupText(text), markupLines(text)]) {
          expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&"']/)
        }
      }),
    )
  })
})

describe('a code span of Markdown', () => {
  it('is fenced by more backticks in a row than it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ', '|') }), (text) => {
        const span = markdownCode(text)
        const fence = /^`+/.exec(span)?.[0] ?? ''
        const inside = span.slice(fence.length, -fence.length)
        expect(inside.match(/`+/g)?.some((run) => run.length >= fence.length) ?? false).toBe(false)
        expect(span).not.toContain('|')
      }),
    )
  })
})

describe('clipping', () => {
  it('says how much was left out, and cuts no code point', () => {
    const more = 'x'.repeat(100)
    expect(clip(`abc${more}`, 3)).toBe('abc… (100 more characters)')
    expect(clip(`a😀${more}`, 2)).toBe('a… (102 more characters)')
    expect(clip('abc', 3)).toBe('abc')
  })

  it('leaves out nothing that is hardly longer than the notice', () => {
    expect(clip(`abc${'x'.repeat(79)}`, 3)).toBe(`abc${'x'.repeat(79)}`)
    expect(clip(`abc${'x'.repeat(80)}`, 3)).toBe('abc… (80 more characters)')
  })
})
