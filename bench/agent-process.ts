import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAgent } from '../src/agents/agent.js'
import { agentLoads, openSlotJournal } from '../src/agents/agent-setup.js'
import { unframed, type Wire } from '../src/agents/messages.js'
import { openRedisWire } from '../src/agents/redis-wire.js'
import { ownMeans } from '../src/cli/commands/agent.js'
import { type Clock, systemClock } from '../src/kit/clock.js'

// An agent with a deliberate problem: its clock is off, or its messages get lost.
// Usage: node dist/bench/agent-process.js REDIS NAME TARGET RUNS-ON [MISHAP]

const [redis = '', name = '', target = '', runsOn = '', mishap = ''] = process.argv.slice(2)

/** How far the clock is ahead of the machine's own, by mishap. */
const ahead: Readonly<Record<string, (ms: number) => number>> = {
  'clock-off': () => 50,
  'clock-drifts': (ms) => ms * 1e-4,
  // In the middle of whatever it is doing then.
  'clock-jumps': (ms) => (ms > 15_000 ? 50 : 0),
}

const shifted = (clock: Clock): Clock => {
  const by = ahead[mishap] ?? (() => 0)
  return { ...clock, monotonicMs: () => clock.monotonicMs() + by(clock.monotonicMs()) }
}

/** Every second chunk gets lost the first time, or comes twice. */
const unreliable = (wire: Wire): Wire => {
  if (mishap !== 'chunks-lost' && mishap !== 'chunks-twice') return wire
  const seen = new Set<string>()
  const say: Wire['say'] = (channel, bytes) => {
    const { type, share, number } = (unframed(bytes)?.message ?? {}) as Readonly<Record<string, unknown>>
    const id = `${share}/${number}`
    const isHit = type === 'chunk' && Number(number) % 2 === 0 && !seen.has(id)
    seen.add(id)
    if (!isHit || mishap === 'chunks-twice') wire.say(channel, bytes)
    if (isHit && mishap === 'chunks-twice') wire.say(channel, bytes)
  }
  return {
    say,
    hear: (channel, listener) => wire.hear(channel, listener),
    hand: (queue, share) => wire.hand(queue, share),
    take: (queue, play) => wire.take(queue, play),
    clear: (queue) => wire.clear(queue),
    upSinceMs: () => wire.upSinceMs(),
    close: () => wire.close(),
  }
}

const clock = shifted(systemClock)
const wire = unreliable(await openRedisWire({ url: redis, shown: redis }, clock))
await startAgent({
  name,
  instance: randomBytes(8).toString('hex'),
  wire,
  clock,
  journal: openSlotJournal(mkdtempSync(join(tmpdir(), 'quotaspec-agent-'))),
  target,
  runsOn,
  mayLoad: async () => true,
  meansFor: (contract) => ownMeans(contract, [], process.env),
  loadsFor: agentLoads({ target, clock, tls: {} }),
  once: false,
  say: () => {},
})
process.stdout.write('ready\n')
// It ends with the process that started it, however that ends.
process.stdin.on('end', () => process.exit(0)).resume()
