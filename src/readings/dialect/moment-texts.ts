const durationPart = /(\d+(?:\.\d+)?)(ns|us|µs|μs|ms|s|m|h|d)/g
const wholeDuration = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h|d))+$/

const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
}

/** No duration in a header needs more characters. */
const mostDurationCharacters = 40

/** A duration as Go writes it and OpenAI shows it (`6m0s`, `1.5s`, `12ms`, `1d2h`), in seconds; undefined for any other text. */
export const durationIn = (text: string): number | undefined => {
  if (text === '0') return 0
  if (text.length > mostDurationCharacters || !wholeDuration.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit] of text.matchAll(durationPart)) seconds += Number(count) * secondsOf[unit]
  return Math.round(seconds * 1e9) / 1e9
}

const isoMoment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)$/i

const offsetSeconds = (zone: string): number | undefined => {
  if (zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || '0')]
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/**
 * A moment in ISO 8601 with its zone (`2026-01-15T10:30:00Z`, `2026-01-15T12:30+02:00`), as seconds since the epoch;
 * undefined for any other text, a time without a zone among them, for that says no moment.
 */
export const isoMomentIn = (text: string): number | undefined => {
  const parts = isoMoment.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0))
  const offset = offsetSeconds(parts[8])
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!exists || hour > 23 || minute > 59 || second > 60 || offset === undefined) return undefined
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second + Number(parts[7] ?? 0) - offset
}
