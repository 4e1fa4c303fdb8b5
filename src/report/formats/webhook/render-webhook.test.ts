import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../model.js'
import { everyReport, reportNames } from '../../testing/every-report.js'
import { chatText } from './chat-text.js'
import { renderWebhook } from './render-webhook.js'

const { passing, failing, inconclusive, waived } = everyReport

const linesOf = (report: Report, reportAt = 'reports/latest/report.html'): string[] =>
  JSON.parse(renderWebhook(report, reportAt)).text.split('\n')

describe('the message for a chat', () => {
  it.each(reportNames)('of a %s run is a JSON object with a text of five lines at the most', (name) => {
    const message = JSON.parse(renderWebhook(everyReport[name], 'reports/latest/report.html'))
    expect(Object.keys(message)).toEqual(['text'])
    expect(message.text.split('\n').length).toBeLessThanOrEqual(5)
  })

  it('of a failing run says the verdict, what broke, where, the numbers and where the report is', () => {
    expect(linesOf(failing, 'https://ci.example/42?a=1&b=2')).toEqual([
      expect.stringMatching(/^❌ FAIL: /),
      expect.stringMatching(/^QUOTA-1: pro admitted 380 within 1\.4 s, .* And 2 findings more\.$/),
      'quotaspec release-gate against http://127.0.0.1:8080/v1',
      expect.stringMatching(/^Clauses: 43 passed, 2 failed.* · 1,182 requests · 41\.2 s$/),
      'Report: https://ci.example/42?a=1&amp;b=2',
    ])
  })

  it('of a passing run names no finding, and of an inconclusive one what is open', () => {
    expect(linesOf(passing)).toHaveLength(4)
    expect(linesOf(inconclusive)[1]).toMatch(/^QUOTA-1 could not be checked: /)
  })

  it('does not say twice what the headline says', () => {
    const [headline, ...rest] = linesOf(waived)
    expect(headline).toContain('RATE-5 passes now')
    expect(rest.join('\n')).not.toContain('RATE-5 passes now')
  })
})

describe('text in a chat', () => {
  it.each([
    ['<!channel> <@U1|x>', '&lt;!channel&gt; &lt;@\u200bU1|x&gt;', 'mentions of Slack'],
    ['@all @everyone', '@\u200ball @\u200beveryone', 'mentions of Mattermost and Discord'],
    ['[x](https://evil.example)', '[x]\u200b(https:\u200b//evil.example)', 'links'],
    ['*b* _i_ ~s~ `c`', '∗b∗ ˍiˍ ∼s∼ ʹcʹ', 'formats'],
    ['over_admitted a & b', 'over_admitted a &amp; b', 'words with a line in them stay'],
    ['a\nb', 'a␊b', 'line ends'],
  ])('writes %j as %j: %s', (given, written) => {
    expect(chatText(given, 100)).toBe(written)
  })

  it('holds no mention, link, format or line, whatever it is made of', () => {
    const marks = fc.string({ unit: fc.constantFrom(...'<>&@#!*_~`[]():/|. \nwab') })
    fc.assert(
      fc.property(fc.oneof(marks, fc.string({ unit: 'binary' })), (text) => {
        const written = chatText(text, 200)
        expect(written).not.toMatch(/[<>*`~\n]|\]\(|:\/\/|@[\p{L}\p{N}]|www\./iu)
        expect(written.replace(/&(amp|lt|gt);/g, '')).not.toContain('&')
      }),
    )
  })
})
