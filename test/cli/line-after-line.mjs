// Plays command lines of the program as they come, one after the other in this process, and tells how each ended: each as it
// would by itself, for the program is its main module, and that is loaded anew for each.
const [, , program] = process.argv
const { PATH } = process.env
let played = 0

/** Has what is written to a stream gathered until it is given back. */
const gathered = (stream) => {
  const { write } = stream
  let text = ''
  stream.write = (chunk, encoding, done) => {
    text += chunk
    const told = typeof encoding === 'function' ? encoding : done
    if (told) queueMicrotask(told)
    return true
  }
  return () => {
    stream.write = write
    return text
  }
}

for (const stream of [process, process.stdout, process.stderr]) stream.setMaxListeners(0)
process.on('message', async ({ args, env = {}, cwd }) => {
  const before = process.cwd()
  if (cwd) process.chdir(cwd)
  process.env = { PATH, ...env }
  process.argv = [process.argv[0], program, ...args]
  const [stdout, stderr] = [gathered(process.stdout), gathered(process.stderr)]
  played += 1
  await import(`${program}?${played}`)
  const ended = { code: process.exitCode ?? 0, stdout: stdout(), stderr: stderr() }
  process.exitCode = undefined
  process.chdir(before)
  process.send(ended)
})
