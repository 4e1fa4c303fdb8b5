import { exitCodes } from '../../assembly/exit-code.js'

/** What an output says once nobody reads it any more: the pipe was closed, or the terminal has gone. */
const readerIsGone = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/**
 * Outlives the reader of its output: `quotaspec faults | head -1` ends quietly, and a run whose summary nobody reads
 * still puts the inventory back, writes its reports and ends with its own exit code. Standard output that can't be
 * written for another reason, such as a full disk, is told in a sentence and is a fault of the harness.
 */
export const outliveReaders = (): void => {
  let isLost = false
  // Nothing can be told where standard error itself is lost.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost || readerIsGone.includes(error.code ?? '')) return
    isLost = true
    process.stderr.write(`quotaspec: standard output can't be written: ${error.message}\n`)
    process.once('exit', () => {
      process.exitCode = exitCodes.harness
    })
  })
}
