import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { limiters } from '../src/certificate/limiters.js'
import { seededRandom } from '../src/kit/random.js'
import { firstDayMs, nginxLine } from '../src/logs/testing/organic.js'

/** Clients of a large log: one in fifty is greedy, and sends half of all requests. */
const clients = 1000
const greedy = 20
const requestsPerSecond = 200
const linesPerWrite = 10_000

/**
 * Writes an nginx log in which every client has 60 a minute: `node log-lines.js FILE [LINES]`. Times are simulated in tenths
 * of a second, because the lines only have to be as many, and as hard to judge, as real ones.
 */
const [file = '/dev/stdout', lines = '10000000'] = process.argv.slice(2)
const random = seededRandom(7)
const of = Array.from({ length: clients }, () =>
  limiters['fixed-window']({ limit: 60, windowMs: 60_000, epochOffsetMs: random.float() * 60_000, random }),
)
const output = createWriteStream(file)
let startMs = firstDayMs
for (let written = 0; written < Number(lines); ) {
  let text = ''
  for (const most = Math.min(Number(lines), written + linesPerWrite); written < most; written += 1) {
    startMs += (-Math.log(1 - random.float()) * 1000) / requestsPerSecond
    const client = random.float() < 0.5 ? random.int(0, greedy - 1) : random.int(greedy, clients - 1)
    const status = of[client].decide(startMs) ? 200 : 429
    text += `${nginxLine({ client, startMs: startMs - 5, endMs: startMs + 20 * random.float(), status })}\n`
  }
  if (!output.write(text)) await once(output, 'drain')
}
output.end()
