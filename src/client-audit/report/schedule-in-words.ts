import { formatDuration } from '../../kit/duration.js'
import { firstFew } from '../../kit/first-few.js'
import type { ClientReport } from './model.js'

const pauses: Readonly<Record<ClientReport['schedule']['pauses'], string>> = {
  key: 'a refusal holds the whole key back',
  request: 'a refusal holds back the request, not the key',
  'one-at-a-time': 'it sends one request at a time, so nothing else was there to hold back',
  'not-shown': 'whether a refusal holds the whole key back was not seen',
}

/** The client's own schedule in a sentence, as far as it showed. */
export const scheduleInWords = (schedule: ClientReport['schedule']): string => {
  const { attempts, waitsMs, baseMs, factor, capMs, jitter, jittered, plays } = schedule
  const held = pauses[schedule.pauses]
  if (plays === 0 && schedule.pauses === 'not-shown') return 'No wait of its own was seen.'
  if (plays === 0 || baseMs === null) return `No wait of its own was seen; ${held}.`
  const parts = [
    `${attempts} attempts`,
    `waits ${firstFew(waitsMs.map((wait) => formatDuration(wait)))} (medians of ${plays} plays)`,
    factor === null ? 'too few waits for a factor' : `about ${factor.toFixed(1)} times longer each`,
    ...(capMs === null ? [] : [`then they stay at about ${formatDuration(capMs)}`]),
    jittered === null || jitter === null
      ? 'jitter was not shown'
      : jittered
        ? `jitter up to ${Math.round(jitter * 100)} %`
        : 'no jitter',
    held,
  ]
  return `${parts.join('; ')}.`
}
