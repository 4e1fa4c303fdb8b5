import { exitCodes } from '../../assembly/exit-code.js'
import type { EndOfProcess } from '../../run/run-folder.js'

/** The first Ctrl-C, SIGTERM or hang-up aborts, for an orderly end; the second ends the process. Calls `once`, `twice` first. */
export const untilInterrupted = (
  once: () => void = () => {},
  twice: () => void = () => {},
): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) {
      twice()
      process.exit(exitCodes.interrupted)
    }
    once()
    controller.abort(new DOMException('interrupted', 'AbortError'))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const each of signals) process.on(each, stop)
  return {
    signal: controller.signal,
    /** Gives the signals back to Node. */
    release: () => {
      for (const each of signals) process.off(each, stop)
    },
  }
}

export const interruptibly = async <T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, release } = untilInterrupted()
  try {
    return await act(signal)
  } finally {
    release()
  }
}

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** Does something that writes files only at its end: an earlier Ctrl-C ends it, and says that nothing was written. */
export const unlessInterrupted = (act: (signal: AbortSignal) => Promise<void>): Promise<void> =>
  interruptibly((signal) =>
    act(signal).catch((error: unknown) => {
      if (!signal.aborted && !isAbort(error)) throw error
      process.stderr.write('\ninterrupted: nothing was written\n')
      process.exitCode = exitCodes.interrupted
    }),
  )

/** The exit of this process; there is no notice if it is killed. */
export const exitOfProcess: EndOfProcess = {
  once: (release) => process.once('exit', release),
  off: (release) => process.off('exit', release),
}
