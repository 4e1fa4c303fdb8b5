import { expect, it } from 'vitest'
import { commandBox, unbrokenIds } from './markup.js'

const command =
  "quotaspec run --target https://host/a-very-long-path-that-fits-no-narrow-line --only quota.not-over-admitted  -H 'A: b'"

it('keeps flags and short words of a command whole where a line wraps, and the command as it is', () => {
  const { markup } = commandBox(command, 'a command')
  for (const word of ['--target', '--only', 'quota.not-over-admitted', '-H'])
    expect(markup).toContain(`<span class="id">${word}</span>`)
  expect(markup).toContain(' https://host/a-very-long-path-that-fits-no-narrow-line ')
  const text = markup
    .replace(/<button.*/s, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
  expect(text).toBe(command)
})

it('keeps ids, days and flags of a text on one line', () => {
  expect(unbrokenIds('QUOTA-1 until 2026-12-31 (set by --at-least), not x--y').markup).toBe(
    '<span class="id">QUOTA-1</span> until <span class="id">2026-12-31</span> (set by <span class="id">--at-least</span>), not x<span class="id">--y</span>',
  )
})
