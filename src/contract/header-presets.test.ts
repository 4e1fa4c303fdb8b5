import { describe, expect, it } from 'vitest'
import { headerField } from './api-contract.js'
import { headerPresets, presetNames } from './header-presets.js'

describe('a preset of headers', () => {
  it.each(presetNames)('%s has fields that a contract could list itself', (name) => {
    for (const field of headerPresets[name]) expect(headerField.parse(field)).toEqual(field)
  })

  it.each(presetNames)('%s says how a reset is written, and of nothing else', (name) => {
    for (const { is, as } of headerPresets[name]) expect(as !== undefined).toBe(is === 'reset')
  })

  it.each(presetNames)('%s promises what it names itself, and hints at what the drafts name', (name) => {
    const levels = new Set(headerPresets[name].map(({ level }) => level))
    if (name === 'none') expect(levels.size).toBe(0)
    else expect([...levels]).toEqual([name.startsWith('draft-') ? 'should' : 'must'])
  })
})
