// Plays a run, and tells in a file what it did to the process that plays it: which listeners were there meanwhile and
// afterwards, and which exit code was set.
import { writeFileSync } from 'node:fs'
import { run } from 'quotaspec'
import { startReferenceServer } from 'quotaspec/reference-server'

const [file, out] = process.argv.slice(2)
const listeners = () =>
  Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))
const before = listeners()
const seen = new Set()

const server = await startReferenceServer({
  keys: { free: 'a-free-key' },
  timeScale: 30,
  faults: ['error-status-mismatch'],
})
const options = { target: server.url, scenario: 'smoke', timeScale: 30 }
const withoutKeys = await run(options).catch(({ name }) => name)
const report = await run({
  ...options,
  out,
  keys: { free: 'a-free-key' },
  onEvent: () => seen.add(JSON.stringify(listeners())),
})
await server.close()

const { exitCode } = process
writeFileSync(
  file,
  JSON.stringify({ withoutKeys, outcome: report.outcome, before, meanwhile: [...seen], after: listeners(), exitCode }),
)
