/**
 * Keeps a processor busy while the process that started it is alive: it ends when its standard input closes or stays silent
 * for a while, so that none is ever left behind.
 */
const leaseMs = Number(process.argv[2])
let heardMs = performance.now()

process.stdin.on('data', () => {
  heardMs = performance.now()
})
process.stdin.on('end', () => process.exit(0))
process.stdin.on('error', () => process.exit(0))

/** Short enough to notice the end of the input soon. */
const spellMs = 20

const work = (): void => {
  const untilMs = performance.now() + spellMs
  while (performance.now() < untilMs);
  if (performance.now() - heardMs > leaseMs) process.exit(0)
  setImmediate(work)
}

work()
