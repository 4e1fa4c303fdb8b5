import { clip } from '../../../escape.js'
import type { CheckRow, WitnessRow } from '../../../model.js'
import { anchor, type Html, html } from '../tag.js'

/** A proof that takes more than one exchange: what it is called, and what is said of its last one. */
interface Story {
  readonly title: string
  readonly end?: string
}

/** The findings whose exchanges prove something only together, by their code. */
export const stories: Readonly<Record<string, Story>> = {
  'refused-after-waiting': {
    title: 'The proof: refused, waited as told, refused again',
    end: 'again; no request in between',
  },
  'refused-after-reset': {
    title: 'The proof: refused, waited until Reset, refused again',
    end: 'again; no request in between',
  },
  'refused-with-room': { title: 'The proof: a Reset is named, and after it a request is refused' },
  'reset-after-window-ended': { title: 'The proof: refused, and admitted before the moment that Reset names' },
  'admitted-long-before': { title: 'The proof: refused, and admitted long before the wait was over' },
  'block-ended-early': { title: 'The proof: refused, and admitted before the block was over' },
  'block-lasted': { title: 'The proof: refused, and refused still when the block was to be over' },
  'refused-but-changed': { title: 'The proof: read, refused, and read again' },
  'walk-refused-but-changed': { title: 'The proof: a refused change, and what is read afterwards' },
  'walk-disagrees': { title: 'The proof: what was changed, and what is read afterwards' },
  'change-not-shown': { title: 'The proof: changed, and read again' },
  'other-entries-changed': { title: 'The proof: read, changed, and read again' },
  'accepted-but-not-kept': { title: 'The proof: changed, and read again' },
  'large-id-not-found': { title: 'The proof: read, and asked for' },
  'remaining-does-not-fall': { title: 'The proof: Remaining at the beginning, and at the end' },
  'remaining-falls-too-fast': { title: 'The proof: Remaining at the beginning, and at the end' },
}

/** The most that is shown of a header's value, and of a path. */
const longestValue = 40
const longestPath = 120

/** More exchanges than this are no story that is read in one go. */
const mostSteps = 5

/** The story that a finding's exchanges tell; `undefined` where each of them proves it alone. */
export const storyOf = ({ code, verdict, witnesses }: CheckRow): Story | undefined =>
  verdict === 'fail' && witnesses.length > 1 && witnesses.length <= mostSteps && Object.hasOwn(stories, code)
    ? stories[code]
    : undefined

/** A moment of the run to the thousandth of a second: margins are that small. */
export const exactMoment = (ms: number): string => `${(ms / 1000).toFixed(3)} s`

/** The value of an answer's header, whichever way its name is written; `undefined` where it has none. */
export const headerOf = (x: WitnessRow, name: string): string | undefined =>
  x.response?.headers.find(([each]) => each.toLowerCase() === name)?.[1]

/** What a refusal asks for: `Retry-After: 2 (come back at 50.000 s)`. */
const waitAsked = (x: WitnessRow): string => {
  const wait = x.response?.status === 429 ? headerOf(x, 'retry-after') : undefined
  if (wait === undefined) return ''
  const back =
    /^\d{1,9}$/.test(wait) && x.receivedAt !== null
      ? ` (come back at ${exactMoment(x.receivedAt + Number(wait) * 1000)})`
      : ''
  return `, Retry-After: ${clip(wait, longestValue)}${back}`
}

const resetNamed = (x: WitnessRow, check: CheckRow): string => {
  const reset = /^R/.test(check.clauses[0] ?? '') ? headerOf(x, 'x-ratelimit-reset') : undefined
  return reset === undefined ? '' : `, X-RateLimit-Reset: ${clip(reset, longestValue)}`
}

const request = ({ request: { method, url } }: WitnessRow): string =>
  `${method} ${clip(URL.canParse(url) ? new URL(url).pathname : url, longestPath)}`

const step = (x: WitnessRow, check: CheckRow, end: string): Html => {
  const status = x.response === null ? 'no answer' : String(x.response.status)
  return html`<li><span class="at">${exactMoment(x.sentAt)}</span> <span><a href="#${anchor('exchange', x.id)}">${request(x)}</a>: <b>${status}</b>${end === '' ? `${resetNamed(x, check)}${waitAsked(x)}` : ` ${end}`}</span></li>`
}

/** The exchanges of a proof as one story in time: a line each, with the moment at which it was sent. */
export const storyView = (check: CheckRow, { end }: Story, exchanges: readonly WitnessRow[]): Html =>
  html`<ol class="notes story">${exchanges.map((x, at) => step(x, check, at > 0 && at === exchanges.length - 1 ? (end ?? '') : ''))}</ol>`
