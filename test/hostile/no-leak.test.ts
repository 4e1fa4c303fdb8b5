import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/evidence/redaction.js'
import type { Behaviour } from './behaviour.js'
import { headText, plainHeaders, type Turn, whole } from './front.js'
import { playBehaviour, secret, type Way } from './play-behaviour.js'

const hex = Buffer.from(secret).toString('hex')
const percent = hex.replace(/../g, '%$&')

/** Of a key that stands so many bytes into what was encoded, the characters that its neighbours have no part in. */
const base64Of = (offset: number): string => {
  const until = offset + secret.length
  const encoded = Buffer.from(`${'x'.repeat(offset)}${secret}`).toString('base64')
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((until * 8) / 6))
}

/** The ways in which a target could send a key back. */
const spellings: Readonly<Record<string, string>> = {
  plain: secret,
  'with other capitals': secret.toUpperCase(),
  'percent-encoded': percent,
  'percent-encoded twice': percent.replaceAll('%', '%25'),
  'as hexadecimal digits': hex,
  'in base64': base64Of(0),
  'in base64, one byte further on': base64Of(1),
  'in base64, two bytes further on': base64Of(2),
  'as JSON escapes': [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  'as HTML entities': [...secret].map((c) => `&#${c.charCodeAt(0)};`).join(''),
}

const plainOf = (text: string): string => text
const hexOf = (text: string): string => Buffer.from(text).toString('hex')
const percentOf = (text: string): string => hexOf(text).replace(/../g, '%$&')

/** Enough of a key to be no accident. */
const telling = 8
/** A cut text must not hold so much of a key's beginning either. */
const beginnings = [secret.slice(0, telling), hex.slice(0, 2 * telling), percent.slice(0, 3 * telling)]

const sought = [...Object.entries(spellings), ...beginnings.map((each) => ['the beginning of it', each] as const)]

/** Bodies in a file may be base64 of bytes that are no text: those are looked into as well. */
const readable = (bytes: Buffer): string => {
  const text = bytes.toString('latin1')
  const inner = [...text.matchAll(/"encoding":"base64","content":"([^"]*)"/g)]
  return [text, ...inner.map(([, content]) => Buffer.from(content, 'base64').toString('latin1'))]
    .join('\n')
    .toLowerCase()
}

const leaksIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const text = readable(readFileSync(join(entry.parentPath, entry.name)))
      return sought.filter(([, spelt]) => text.includes(spelt.toLowerCase())).map(([how]) => `${entry.name}: ${how}`)
    })

const everySpelling = Object.values(spellings).join(' ')

const echo = (does: string, act: (turn: Turn) => void): Behaviour => ({ id: 'echo', does, kind: 'bad', act })

const echoes: readonly Behaviour[] = [
  echo('in every spelling, in the body', ({ socket, healthy }) => {
    socket.write(whole({ ...healthy, body: Buffer.from(`{"echo":"${everySpelling}","list":${healthy.body}}`) }))
  }),
  echo('in bytes that are no text', ({ socket, healthy }) => {
    socket.write(whole({ ...healthy, body: Buffer.from(`\xff\xfe ${everySpelling}`, 'latin1') }))
  }),
  echo('in UTF-16', ({ socket, healthy }) => {
    socket.write(whole({ ...healthy, body: Buffer.from(secret, 'utf16le') }))
  }),
  echo('in the values and the names of headers, and in the reason', ({ socket, healthy }) => {
    const named = Object.values(spellings).filter((each) => /^[\w-]+$/.test(each))
    const headers = named.flatMap((each, n): [string, string][] => [
      [`X-${each}`, 'a name'],
      [`X-Echo-${n}`, each],
    ])
    socket.write(whole({ ...healthy, reason: secret }, ...headers, ['X-Set', everySpelling]))
  }),
  echo('over the border of two chunks', ({ socket, healthy }) => {
    const half = Math.floor(secret.length / 2)
    const chunks = [secret.slice(0, half), secret.slice(half)]
    socket.write(headText(200, 'OK', [...plainHeaders(healthy), ['Transfer-Encoding', 'chunked']]))
    for (const chunk of chunks) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    socket.write('0\r\n\r\n')
  }),
  ...[plainOf, hexOf, percentOf].map((spell, n) =>
    echo(`in a body that breaks off within it (${n})`, ({ socket, healthy }) => {
      const spelt = spell(secret)
      const cut = spelt.slice(0, spelt.length - 2)
      const head = headText(200, 'OK', [...plainHeaders(healthy), ['Content-Length', '500']])
      socket.end(`${head}{"echo":"${cut}`)
    }),
  ),
  echo('where the record of a long body ends', ({ socket, healthy }) => {
    const filler = `${'y'.repeat(16 * 1024 - 10)}`
    socket.write(whole({ ...healthy, body: Buffer.from(`${filler}${secret}${'z'.repeat(9_000)}${secret.repeat(50)}`) }))
  }),
  echo('as something that is no HTTP', ({ socket }) => void socket.end(`${secret} ${everySpelling}\r\n\r\n`)),
]

describe('a key that the target sends back', { concurrent: true }, () => {
  for (const way of ['single', 'load'] as const satisfies readonly Way[]) {
    for (const behaviour of echoes) {
      const where = way === 'load' ? 'under load' : 'to single requests'
      it(`${behaviour.does} (${where}), is in no file of the run`, async () => {
        let leaks: readonly string[] = ['nothing was looked at']
        const { crashes } = await playBehaviour(behaviour, way, (out) => {
          leaks = leaksIn(out)
        })
        expect(crashes).toEqual([])
        expect(leaks).toEqual([])
      })
    }
  }
})

describe('a text that is cut', () => {
  const redactor = createRedactor()
  redactor.hide(secret, '‹key›')

  it.each([4, 8, secret.length - 1])('loses the %i characters of a key that it ends with', (length) => {
    expect(redactor.redact(`before ${secret.slice(0, length)}`, true)).toBe('before ‹key›')
    expect(redactor.redact(`before ${hex.slice(0, 2 * length)}`, true)).toBe('before ‹key›')
    for (const half of ['', '%', '%4']) {
      expect(redactor.redact(`before ${percent.slice(0, 3 * length)}${half}`, true)).toBe('before ‹key›')
    }
    expect(redactor.redact(`before ${secret.slice(0, length)}`)).toContain(secret.slice(0, length))
  })

  it('keeps what no key begins with', () => {
    expect(redactor.redact('{"petId":12,"quan', true)).toBe('{"petId":12,"quan')
    expect(redactor.redact(`${secret} and more`, true)).toBe('‹key› and more')
  })

  it('is searched in a time that grows with its length alone, however often the key is in it', () => {
    const often = `${secret} `.repeat(300_000)
    expect(redactor.redact(often)).toBe('‹key› '.repeat(300_000))
  })
})
