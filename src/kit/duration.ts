/** More hours than this are told in days, and more days than that without hours. */
const mostHours = 96
const mostDays = 60
const longestYears = 1_000

/** Hours in days: `5 days 4 h`, `365 days`; beyond a thousand years nobody counts. */
const formatDays = (hours: number): string => {
  const days = mostDays * 24 < hours ? Math.round(hours / 24) : Math.floor(hours / 24)
  if (!(days < longestYears * 365)) return `more than ${longestYears.toLocaleString('en-US')} years`
  const left = days > mostDays ? 0 : hours % 24
  return `${days.toLocaleString('en-US')} days${left > 0 ? ` ${left} h` : ''}`
}

/** A duration for people: `850 ms`, `4.0 s`, `2 min 5 s`, `3 h 20 min`, `5 days 4 h`. */
export const formatDuration = (ms: number): string => {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600)
    return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes > mostHours * 60) return formatDays(Math.round(minutes / 60))
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** By so much a tenth of a second may be off before its hundredths are told. */
const tellingMs = 5

/** The same with hundredths of a second where they say more: `5.97 s` beside `6.0 s`. */
export const formatClosely = (ms: number): string => {
  const isRounded = Math.abs(ms - 100 * Math.round(ms / 100)) > tellingMs
  return isRounded && ms >= 1000 && ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : formatDuration(ms)
}

/** The same in whole seconds, rounded up, for upper bounds: `9 s`, `2 min 5 s`. */
export const formatWholeSeconds = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}
