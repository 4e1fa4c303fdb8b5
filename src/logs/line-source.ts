import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError, whyOf } from '../kit/usage-error.js'

/** A log: its name in findings, and its bytes, which may be compressed. */
export interface LogFile {
  readonly name: string
  readonly open: () => Readable
}

const chunkBytes = 1 << 20

export const fileLog = (path: string): LogFile => ({
  name: path,
  open: () => createReadStream(path, { highWaterMark: chunkBytes }),
})

const gzipMagic = [0x1f, 0x8b]
/** What some editors and shells write before UTF-8. */
const byteOrderMark = '\xef\xbb\xbf'

/** The bytes of a log, without gzip around them. */
async function* plainBytes({ open }: LogFile): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = open()[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const whole = async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  if (gzipMagic.some((each, i) => first.value[i] !== each)) yield* whole()
  else {
    const unzipped = createGunzip({ chunkSize: chunkBytes })
    // Its errors are thrown where it is read.
    pipeline(Readable.from(whole()), unzipped, () => {})
    yield* unzipped
  }
}

/** The longest line that is kept; a HAR file, which is one document, may be a single line. */
const mostPendingCharacters = 1 << 28

/** A log as pieces of whole lines, one character for each byte, so that no line is decoded that is not looked at. */
export async function* wholeLines(file: LogFile): AsyncGenerator<string> {
  let [pending, isBegin] = ['', true]
  try {
    for await (const chunk of plainBytes(file)) {
      const bytes = chunk.toString('latin1')
      const text = isBegin && bytes.startsWith(byteOrderMark) ? bytes.slice(byteOrderMark.length) : bytes
      isBegin = false
      const end = text.lastIndexOf('\n') + 1
      if (end > 0) yield pending === '' ? text.slice(0, end) : pending + text.slice(0, end)
      pending = end > 0 ? text.slice(end) : pending + text
      if (pending.length > mostPendingCharacters) throw new Error('a line of it is longer than 256 MB')
    }
  } catch (error) {
    throw new UsageError(`--log ${file.name}: ${whyOf(error)}`)
  }
  if (pending !== '') yield `${pending}\n`
}
