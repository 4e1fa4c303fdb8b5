import { formatDuration } from '../../kit/duration.js'
import type { ClientReport } from './model.js'

/** What to do about open points: a sentence, and the command after it. Null where the machine left none open. */
export const retryInWords = ({ retry }: ClientReport): { readonly text: string; readonly command: string } | null =>
  retry && {
    text: `Whether the open points stand shows on a quiet machine, in about ${formatDuration(retry.tookMs)}:`,
    command: retry.command,
  }

/** The short way out of the grades that take more than one mend; null for all others. */
export const shortcutInWords = ({ grade }: ClientReport): string | null =>
  grade.letter !== 'none' && (grade.best === 'D' || grade.best === 'F')
    ? 'Or, in Node.js, send everything through retrying(fetch) of quotaspec/retrying: docs/clients.md, "Mending a client".'
    : null
