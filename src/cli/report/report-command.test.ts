import { describe, expect, it } from 'vitest'
import { formatNames, parseFormat } from './format-names.js'
import { formats } from './formats.js'
import { parseLink, parseReceiver } from './receiver.js'
import { sendReport } from './send-report.js'

describe('the format that was typed', () => {
  it.each(formatNames)('may be %s, which says what it is to a receiver', (name) => {
    expect(parseFormat(name)).toBe(name)
    expect(formats[name].contentType).toMatch(/^[a-z]+\/[a-z+-]+/)
  })

  it.each([
    ['sarf', '--as sarf is no format: did you mean sarif? the formats are html, json, junit, '],
    ['prometheus', '--as prometheus is no format: the formats are html, json, junit, '],
    ['', '--as  is no format: '],
  ])('that is %j is refused with all that there are', (typed, sentence) => {
    expect(() => parseFormat(typed)).toThrow(sentence)
    expect(() => parseFormat(typed)).toThrow(/markdown, openmetrics, otlp, sarif$/)
  })
})

describe('where a report is to go', () => {
  it.each([
    ['hooks/s3cret', '--to is no address'],
    ['ftp://h/s3cret', '--to: the address has to begin with http:// or https://'],
    ['https://me:s3cret@h/', 'QUOTASPEC_TO_AUTHORIZATION'],
  ])('is refused where it is %s, without a word of it', (typed, sentence) => {
    expect(() => parseReceiver(typed)).toThrow(sentence)
    expect(() => parseReceiver(typed)).not.toThrow('s3cret')
  })

  it('is linked to as an address that can be written into anything', () => {
    expect(parseLink('https://ci.example/runs/a b')).toBe('https://ci.example/runs/a%20b')
    expect(() => parseLink('runs/42')).toThrow('--link is no address')
  })
})

describe('what is said of a report that was sent', () => {
  const post = {
    url: new URL('https://hooks.example/services/s3cret?t=s3cret'),
    contentType: 'application/json',
    body: '',
  }
  it.each([
    [{ status: 204 }, true, 'sent to https://hooks.example, which answered 204'],
    [{ status: 302 }, false, 'not accepted: https://hooks.example answered 302'],
    [{ status: 401 }, false, 'not accepted: https://hooks.example answered 401; QUOTASPEC_TO_AUTHORIZATION holds'],
    [{ status: 404 }, false, 'not accepted: https://hooks.example answered 404; is the path right?'],
    [{ code: 'ECONNREFUSED' }, false, 'not sent: https://hooks.example: nobody listens there'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false, 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    [{ code: 'EPROTO' }, false, 'not sent: https://hooks.example: the connection failed (EPROTO)'],
  ])('where %j came of it is whether it is there, and names no more than the host', async (came, isSent, sentence) => {
    const delivery = await sendReport(post, async () => came)
    expect(delivery.isSent).toBe(isSent)
    expect(delivery.sentence).toContain(sentence)
    expect(delivery.sentence).not.toContain('s3cret')
  })
})
