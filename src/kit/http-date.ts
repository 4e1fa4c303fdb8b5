const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/
const rfc850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-(\w{3})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/

const epochMs = (year: number, month: string, day: string, hour: string, minute: string, second: string) => {
  const index = months.indexOf(month)
  if (index < 0 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, index, Number(day))
  if (midnight.getUTCDate() !== Number(day)) return undefined
  return midnight.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

/** A two-digit year that seems over 50 years ahead is the past year with those digits (RFC 9110 §5.6.7). */
const fullYear = (twoDigits: number, thisYear: number): number => {
  const inCentury = Math.floor(thisYear / 100) * 100 + twoDigits
  return inCentury > thisYear + 50 ? inCentury - 100 : inCentury
}

/**
 * An HTTP-date in any of the three forms that recipients accept (RFC 9110 §5.6.7), as milliseconds since the epoch;
 * undefined for anything else. `thisYear` settles two-digit years.
 */
export const parseHttpDate = (text: string, thisYear = 2026): number | undefined => {
  const fixed = imfFixdate.exec(text)
  if (fixed) return epochMs(Number(fixed[3]), fixed[2], fixed[1], fixed[4], fixed[5], fixed[6])
  const old = rfc850.exec(text)
  if (old) return epochMs(fullYear(Number(old[3]), thisYear), old[2], old[1], old[4], old[5], old[6])
  const oldest = asctime.exec(text)
  if (oldest) return epochMs(Number(oldest[6]), oldest[1], oldest[2].trim(), oldest[3], oldest[4], oldest[5])
  return undefined
}
