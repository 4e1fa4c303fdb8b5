import { expect, it } from 'vitest'
import { browserCommand, type Desk } from './shown-run.js'

const desk: Desk = { platform: 'linux', environment: { DISPLAY: ':0' }, isTerminal: true }

it.each<[string, Partial<Desk>, readonly string[] | undefined]>([
  ['xdg-open with a screen', {}, ['xdg-open']],
  ['xdg-open with a screen of Wayland', { environment: { WAYLAND_DISPLAY: 'wayland-0' } }, ['xdg-open']],
  ['nothing without a screen', { environment: {} }, undefined],
  ['nothing where no terminal is attached', { isTerminal: false }, undefined],
  ['nothing in a pipeline', { environment: { DISPLAY: ':0', CI: 'true' } }, undefined],
  ['open on a Mac', { platform: 'darwin', environment: {} }, ['open']],
  ['explorer.exe on Windows', { platform: 'win32', environment: {} }, ['explorer.exe']],
])('a browser is opened by %s', (_, change, command) => {
  expect(browserCommand({ ...desk, ...change })).toEqual(command)
})
