import { exitCodes } from '../../assembly/exit-code.js'
import type { EndOfProcess } from '../../run/run-folder.js'

/** Ctrl-C, SIGTERM or a hang-up once aborts, so that all ends in order; twice ends the process. Each is told before. */
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

/** Does what Ctrl-C may end. */
export const interruptibly = async <T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, release } = untilInterrupted()
  try {
    return await act(signal)
  } finally {
    release()
  }
}

/** Whether something ended because it was told to, and not by a fault. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** Does what writes files at its end. Ctrl-C before that ends it, and is told. */
export const unlessInterrupted = (act: (signal: AbortSignal) => Promise<void>): Promise<void> =>
  interruptibly((signal) =>
    act(signal).catch((error: unknown) => {
      if (!signal.aborted && !isAbort(error)) throw error
      process.stderr.write('\ninterrupted: nothing was written\n')
      process.exitCode = exitCodes.interrupted
    }),
  )

/** The end of this process, where it has one: of one that is killed nobody is told. */
export const exitOfProcess: EndOfProcess = {
  once: (release) => process.once('exit', release),
  off: (release) => process.off('exit', release),
}
