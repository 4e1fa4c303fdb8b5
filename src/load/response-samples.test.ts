import { expect, test } from 'vitest'
import { ResponseSamples } from './response-samples.js'

const head = (statusCode: number) => ({
  statusCode,
  statusMessage: 'Key k3y-value',
  headers: [],
  shouldKeepAlive: true,
})
const redact = (text: string) => text.replaceAll('k3y-value', '***')

test('two of each status are kept, of at most twenty', () => {
  const samples = new ResponseSamples()
  for (let status = 200; status < 300; status++) for (let n = 0; n < 5; n++) samples.begin(status, head(status))
  expect(samples.finish({ redact }).length).toBe(40)
})

test('a secret that is split over chunks, or cut by the bound, does not show', () => {
  const samples = new ResponseSamples()
  const draft = samples.begin(0, head(200))
  for (const text of ['a k3y-', 'value', 'x'.repeat(20 * 1024 - 15), 'k3y-value']) {
    if (draft) ResponseSamples.add(draft, Buffer.from(text))
  }
  const [{ reason, body }] = samples.finish({ redact })
  expect(reason).toBe('Key ***')
  expect(body.content).toMatch(/^a \*\*\*x+$/)
  expect(body).toMatchObject({ truncated: true, bytes: 20 * 1024 + 5 })
})

test('bytes that are no text are kept as they came, without the secret', () => {
  const samples = new ResponseSamples()
  const draft = samples.begin(0, head(200))
  if (draft) ResponseSamples.add(draft, Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('k3y-value')]))
  const [{ body }] = samples.finish({ redact })
  expect(body.encoding).toBe('base64')
  expect(Buffer.from(body.content, 'base64')).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('***')]),
  )
})
