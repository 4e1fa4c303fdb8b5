import { expect, it } from 'vitest'
import { onceFor } from './once-for.js'

it('computes once for each object, also where nothing comes of it', () => {
  const asked: string[] = []
  const nameOf = onceFor(({ name }: { name: string }) => {
    asked.push(name)
    return undefined
  })
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  expect([nameOf(one), nameOf(other), nameOf(one)]).toEqual([undefined, undefined, undefined])
  expect(asked).toEqual(['one', 'other'])
})
