import { describe, expect, it } from 'vitest'
import { type KeyLabel, keyLabel, splitAtKeyLabels } from './credential-forms.js'

const isName = (name: string) => name === 'free' || name === 'pro-2'

const labels: readonly [text: string, label: KeyLabel][] = [
  ['‹free key›', { name: 'free', form: 'whole' }],
  ['‹Basic pair of the pro-2 key›', { name: 'pro-2', form: 'basic-pair' }],
  ['‹free key in other letter case›', { name: 'free', form: 'other-case' }],
  ['‹Basic pair of the free key in other letter case›', { name: 'free', form: 'other-case-pair' }],
  ['‹free key percent-encoded›', { name: 'free', form: 'percent-encoded' }],
  ['‹pro-2 key with F as character 12›', { name: 'pro-2', form: { place: 12, to: 'F' } }],
  ['‹free key, its last character cut off›', { name: 'free', form: { cutOff: 1 } }],
  ['‹pro-2 key, its last 12 characters cut off›', { name: 'pro-2', form: { cutOff: 12 } }],
  ['‹free key, its first character cut off›', { name: 'free', form: { cutOff: 1, at: 'front' } }],
]

describe('the label of a key', () => {
  it.each(labels)('is written as %s, and read back', (text, label) => {
    expect(keyLabel(label)).toBe(text)
    expect(splitAtKeyLabels(`Bearer ${text}; and more`, isName)).toEqual(['Bearer ', label, '; and more'])
  })

  it.each(['‹somebody key›', '‹free key, cut›', 'free key'])('is not what only looks like one: %s', (text) => {
    expect(splitAtKeyLabels(text, isName)).toEqual([text])
  })
})
