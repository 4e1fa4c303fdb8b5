import { expect, it } from 'vitest'
import { browserCommand } from './shown-run.js'

const screen = { DISPLAY: ':0' }

it.each<[string, Parameters<typeof browserCommand>, readonly string[] | undefined]>([
  ['xdg-open with a screen', ['linux', screen, true], ['xdg-open']],
  ['xdg-open with a screen of Wayland', ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true], ['xdg-open']],
  ['nothing without a screen', ['linux', {}, true], undefined],
  ['nothing where no terminal is attached', ['linux', screen, false], undefined],
  ['nothing in a pipeline', ['linux', { ...screen, CI: 'true' }, true], undefined],
  ['open on a Mac', ['darwin', {}, true], ['open']],
  ['explorer.exe on Windows', ['win32', {}, true], ['explorer.exe']],
])('a browser is opened by %s', (_, desk, command) => {
  expect(browserCommand(...desk)).toEqual(command)
})
