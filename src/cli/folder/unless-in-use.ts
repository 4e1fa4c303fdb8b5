import { inUseBy } from '../../run/folder/folder-lock.js'

/** What `write` makes of the folder of a saved run; null where somebody writes there, who writes the reports himself. */
export const unlessInUse = (folder: string, write: () => string): string | null => {
  const who = inUseBy(folder)
  if (who === undefined) return write()
  process.stderr.write(`${folder}: ${who}; what is there so far is judged, and no report written\n`)
  return null
}
