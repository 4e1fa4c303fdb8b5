import { defineProbe, type Question } from '../../probes/probe.js'
import { somePet } from './moves/pets.js'

const quantityThen = (rest: string): string => `{"quantity":${rest}`

/** Input that breaks careless parsers. Refused, ignored or cut off: all fine; a 5xx or a stack trace is not (ERR-5). */
const cases: Readonly<Record<string, Partial<Omit<Question, 'step'>>>> = {
  'a path of 6,000 characters': { method: 'GET', path: `/inventory/${'1'.repeat(6000)}` },
  'a query of 6,000 characters': { method: 'GET', path: `/inventory?x=${'y'.repeat(6000)}` },
  'a header of 7,000 characters': { method: 'GET', path: '/inventory', headers: [['X-Long', 'z'.repeat(7000)]] },
  'a percent sign that encodes nothing': { path: '/inventory/%zz', body: '{"quantity":1}' },
  'an encoded NUL in the path': { path: '/inventory/%00', body: '{"quantity":1}' },
  'a path that climbs': { method: 'GET', path: '/inventory/..%2f..%2fetc%2fpasswd' },
  'JSON nested 5,000 deep': { body: `${quantityThen('['.repeat(5000))}${']'.repeat(5000)}}` },
  'an unclosed array nested 20,000 deep': { body: quantityThen('['.repeat(20_000)) },
  'a NUL in a string': { body: '{"quantity":"\\u0000"}' },
  'a raw NUL byte': { body: '{"quantity":\u0000}' },
  'a lone surrogate': { body: '{"quantity":"\\ud800"}' },
  'bytes that are no UTF-8': { body: Buffer.from('{"quantity":"\xff\xfe"}', 'latin1') },
  'a body in UTF-16': { body: Buffer.from('{"quantity":"x"}', 'utf16le') },
  'a number of 400 digits': { body: quantityThen(`${'9'.repeat(400)}.5}`) },
  'an exponent beyond every type': { body: quantityThen('1e99999}') },
  'a field named __proto__': { body: '{"__proto__":{"quantity":1}}' },
  'a body of 1 MB': { body: `{"quantity":"${'x'.repeat(2 ** 20)}"}` },
  'a content type that is none': { body: '{"quantity":"x"}', contentType: 'application/json; charset=no-such' },
}

export const hardInput = defineProbe({
  id: 'hard-input',
  summary: 'Sends input that breaks careless parsers: long paths, deep JSON, bytes that are no UTF-8.',
  played: 'once',
  cost: () => ({ keyed: 3 + Object.keys(cases).length }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    if (!context.readOnly) context.willTouch(pet)
    for (const [name, question] of Object.entries(cases)) {
      if (context.readOnly && question.body) continue
      const where = { method: 'PATCH', path: `/inventory/${pet.id}` }
      await context.ask({ step: 'hard', ...where, ...question, intent: { case: name } })
    }
  },
})
