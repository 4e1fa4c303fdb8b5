import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { LiveParts } from '../../report/live/live-view.js'
import { createStreams } from './live-streams.js'

const all: LiveParts = { progress: 'p', standing: 's', lanes: 'l', soFar: 'f', log: 'g' }
const whole = `data: ${JSON.stringify(all)}\n\n`

/** A page that reads, or does not, as it is told. */
class HeldPage extends EventEmitter {
  writableNeedDrain = false
  readonly written: string[] = []
  write(text: string) {
    this.written.push(text)
  }
}

const opened = () => {
  const streams = createStreams(() => all)
  const page = new HeldPage()
  streams.add(page as unknown as ServerResponse)
  return { streams, page }
}

it('a page that does not read gets no pile of changes, and all of it once it reads again', () => {
  const { streams, page } = opened()
  page.writableNeedDrain = true
  for (let times = 0; times < 1_000; times += 1) streams.send({ log: 'line' })
  expect(page.written).toHaveLength(1)
  page.writableNeedDrain = false
  page.emit('drain')
  expect(page.written.slice(1)).toEqual([whole])
})

it('a page that has kept up gets nothing twice', () => {
  const { streams, page } = opened()
  streams.send({ log: 'line' })
  page.emit('drain')
  expect(page.written.slice(1)).toEqual(['data: {"log":"line"}\n\n'])
})

it('a page that was closed is written to no more, and was there all the same', () => {
  const { streams, page } = opened()
  page.emit('close')
  streams.send({ log: 'line' })
  expect([page.written.length, streams.count(), streams.wasWatched()]).toEqual([1, 0, true])
})
