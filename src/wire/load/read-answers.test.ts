import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type BodyReader, ledgerFlags } from '../../evidence/ledger.js'
import type { LoadSpec } from './load-order.js'
import { answer } from './testing/target.js'
import { trialLoads } from './testing/trial-loads.js'

const { targetOf, play } = trialLoads({ connections: 1, amount: 4 })

/** Takes every answer with `slow down` in its body for a refusal. */
const readBody: BodyReader = {
  wants: ({ columns }, row) => columns.status[row] === 200,
  read({ columns }, row, _, content, isWhole) {
    if (content.includes('slow down')) columns.flags[row] |= ledgerFlags.refusedByRule
    else if (!isWhole) columns.flags[row] |= ledgerFlags.unruled
  },
}

test('heads are read by the reader that is given', async () => {
  const target = await targetOf((socket, nth) => socket.write(answer(200, [`X-Left: ${nth}`, 'X-RateLimit-Limit: 60'])))
  const readHead: LoadSpec['readHead'] = ({ columns }, row, raw) => {
    columns.remaining[row] = Number(raw[raw.indexOf('X-Left') + 1])
  }
  const { rows } = await play(target, { readHead })
  expect([...rows.remaining]).toEqual([0, 1, 2, 3])
  expect([...rows.limit]).toEqual(Array(4).fill(Number.NaN))
})

test('bodies decide of the rows that want it, and those are told once they were read', async () => {
  const target = await targetOf((socket, nth) => {
    const text = answer(nth === 3 ? 404 : 200, [], nth === 1 ? 'please slow down' : 'slow')
    socket.write(text.slice(0, -6))
    setImmediate(() => socket.write(text.slice(-6)))
  })
  const told: string[] = []
  const onRow: LoadSpec['onRow'] = ({ index, status, flags }) => status !== 0 && told.push(`${index} ${flags}`)
  const { rows } = await play(target, { readBody, onRow })
  expect([...rows.flags]).toEqual([0, ledgerFlags.refusedByRule, 0, 0])
  expect(told).toEqual(['0 0', `1 ${ledgerFlags.refusedByRule}`, '2 0', '3 0'])
})

test('a load stops on what a body says', async () => {
  const target = await targetOf((socket, nth) => socket.write(answer(200, [], nth === 1 ? 'slow down' : 'ok')))
  const stopWhen: LoadSpec['stopWhen'] = ({ flags }) => (flags & ledgerFlags.refusedByRule) !== 0
  expect(await play(target, { readBody, stopWhen })).toMatchObject({ end: 'stop-when', sent: 2, answered: 2 })
})

test('a body in a content coding is read as it was before', async () => {
  const coded = gzipSync('slow down')
  const target = await targetOf((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`)
    socket.write(coded)
  })
  const { rows } = await play(target, { readBody })
  expect([...rows.flags]).toEqual(Array(4).fill(ledgerFlags.refusedByRule))
})

test.each<[string, string]>([
  ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nslow'],
  [
    'is in an unknown coding',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: zebra\r\nContent-Length: 4\r\n\r\nslow',
  ],
])('a body that %s is said to be no whole one', async (_, text) => {
  const target = await targetOf((socket) => socket.end(text))
  const { rows } = await play(target, { readBody })
  expect([...rows.flags].map((flags) => flags & ledgerFlags.unruled)).toEqual(Array(4).fill(ledgerFlags.unruled))
})

test('of a body 64 KiB are looked at', async () => {
  const target = await targetOf((socket, nth) => socket.write(answer(200, [], `${'x'.repeat(nth * 65_536)}slow down`)))
  const { rows } = await play(target, { readBody, amount: 2 })
  expect([...rows.flags]).toEqual([ledgerFlags.refusedByRule, 0])
})

test('what is thrown on being told of a body that was decoded ends the load with that error', async () => {
  const coded = gzipSync('fine')
  const target = await targetOf((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`)
    socket.write(coded)
  })
  const onRow: LoadSpec['onRow'] = ({ status }) => {
    if (status !== 0) throw new Error('the disk is full')
  }
  await expect(play(target, { readBody, onRow })).rejects.toThrow('the disk is full')
})
