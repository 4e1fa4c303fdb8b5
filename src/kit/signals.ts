/** A promise that is kept when somebody opens it. */
export const latch = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Resolves when a signal aborts, at once where it has; never again after `until` has aborted. */
export const aborted = (signal: AbortSignal, until?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until })
  })
