import { formatDuration } from '../kit/duration.js'
import type { Finding, FindingCode, FindingFacts } from '../verdict/verdict.js'

/** Every sentence that a check can say. A code without one does not compile. */
type Wording = { readonly [C in FindingCode]: (facts: FindingFacts[C]) => string }

const list = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? 'none') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/** What a broken limiter looks like, by the diagnosis that the oracle gives. */
const looksLike: Readonly<Record<string, (facts: Readonly<Record<string, number | string>>) => string>> = {
  'no-limit': ({ admitted }) => `no limit at all: all ${admitted} were admitted`,
  'keys-share-bucket': () => 'keys that share one bucket',
  'quota-never-returns': () => 'a quota that never comes back',
  'first-request-free': () => 'a first request that is not counted',
  'limit-lower-by-one': ({ limit }) => `a limit of ${limit}: one too few`,
  'limit-higher-by-one': ({ limit }) => `a limit of ${limit}: one too many`,
  'limit-of-another-plan': ({ plan, limit }) => `the limit of the ${plan} plan, ${limit}`,
  'requests-count-twice': ({ from }) =>
    `requests that each count twice${from === 'minute-refusal' ? ', once the minute has refused one' : ''}`,
  'nodes-count-alone': ({ nodes }) => `${nodes} nodes that each count alone`,
  'window-shorter': ({ windowMs }) => `a window of ${formatDuration(Number(windowMs))}, shorter than said`,
  'window-longer': ({ windowMs }) => `a window of ${formatDuration(Number(windowMs))}, longer than said`,
  'every-request-renews': () => 'a window that every request renews',
  'refusals-push-window': () => 'refused requests that push the window on',
  'refusals-count': () => 'refused requests that count',
  'check-apart-from-count': () => 'a check apart from its count: a race that a burst wins',
  'other-limit': ({ limit }) => `a limit of ${limit}`,
}

const describe = (id: string | null, facts: Readonly<Record<string, number | string>>): string =>
  id === null ? '' : ` This looks like ${looksLike[id]?.(facts) ?? id}.`

/** The diagnosis in words, for the table of quotas. */
export const diagnosisInWords = (id: string, facts: Readonly<Record<string, number | string>>): string =>
  looksLike[id]?.(facts) ?? id

const reasons: Readonly<Record<string, string>> = {
  'over-admission': 'more was admitted than it could have let through',
  'early-refusal': 'something was refused while it certainly had quota left',
  both: 'more was admitted, and other requests refused, than it could have',
}

const briefly: Readonly<Record<string, string>> = {
  'over-admission': 'admits too much',
  'early-refusal': 'refuses too early',
  both: 'admits too much, and refuses too early',
}

/** What a target did that the limiter model would not, in a few words; an unknown reason is told as it is. */
export const refutationInWords = (reason: string): string => briefly[reason] ?? reason

const doubts: Readonly<Record<string, string>> = {
  'key-not-quiet': 'somebody else spends the key: Remaining fell by more than was sent',
  'limit-never-reached': 'the limit was never put to the test',
  'answers-lost': 'too many answers were lost',
  'generator-late': 'the generator could not keep its schedule',
  'load-ended-early': 'the load ended early',
  'used-before':
    'what was seen could come of earlier use of the key (where there was none, the scenario can say unused: true)',
}

const obstacles: Readonly<Record<string, string>> = {
  'inventory-empty': 'the inventory is empty',
  'no-large-ids': 'no pet has an id above 2^53',
  'read-only': 'the run was told to send no PATCH that could succeed (--read-only)',
  'day-too-small': "what is left of the key's day is too little for it",
  'inventory-unreadable': 'the inventory could not be read',
  'still-refused': 'the target went on refusing',
  'day-spent': 'the quota of the day is spent',
  'no-answer': 'the target did not answer',
  'load-not-allowed':
    'no load was to go to the target: --allow-load lets it go to another machine, --without-load keeps it back',
  'long-wait': 'the target asked for a wait of several windows',
  'server-errors': 'an earlier load was stopped because the target answered it with 5xx',
  'time-limit': 'the time limit of the run was reached',
  'target-silent': 'the target stopped answering',
  'journal-broken': 'the journal could not be written any more',
  'one-key-a-plan': 'no plan has a second key',
  'no-key-to-spare':
    'it takes a second key of a smaller plan, so that one can be spent (release-gate spends the only one)',
  'not played': 'the run ended before it',
}

const obstacle = (reason: string): string => obstacles[reason] ?? reason

/** What a probe would have taken of a key's day. */
export const noRoomInWords = ({ probe, needed, left }: Omit<FindingFacts['no-room-in-day'], 'plan'>): string =>
  `${probe} would take ${needed} requests, and ${left} are left of the key's day: give a key that has more of its day`

/** Why something was not judged, in words; what has no words of its own is told as it is. */
export const doubtInWords = (reason: string): string => doubts[reason] ?? obstacle(reason)

const costInWords = (each: { readonly medianMs: number; readonly perSecond: number | null }): string =>
  `${each.medianMs} ms at the median${each.perSecond === null ? '' : `, ${each.perSecond} a second`}`

type CostFacts = FindingFacts['cost-of-answers']

/** How the medians compare, where they are long enough to be compared at all. */
const costRatios = ({ admitted, refused }: CostFacts['plans'][number], unlimited: CostFacts['unlimited']): string => {
  const ratio = (one: number, other: number) => (one / other).toFixed(2)
  const refusing = admitted.medianMs > 0 ? [`refusing takes ${ratio(refused.medianMs, admitted.medianMs)} of that`] : []
  const base = unlimited?.admitted.medianMs ?? 0
  const limiting = base > 0 ? [`serving ${ratio(admitted.medianMs, base)} of what it takes without a limit`] : []
  const told = [...refusing, ...limiting].join(', ')
  return told === '' ? '' : ` (${told})`
}

const hoursInWords = (hours: number) => (hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours} hours`)

const daysInWords = (days: readonly { readonly plan: string; readonly requests: number; readonly hours: number }[]) =>
  list(days.map(({ plan, requests, hours }) => `${plan}, which takes ${requests} requests and ${hoursInWords(hours)}`))

const efficiency = (play: { readonly done: number; readonly sent: number }): string =>
  `${Math.round((100 * play.done) / play.sent)} % of what was sent`

const besideHammering = ({ work, hammering }: FindingFacts['obedient-served']['plays'][number]): string => {
  if (hammering === null) return ''
  const { served, sent, tookMs, lastStatus } = hammering
  const ended = lastStatus === 200 || lastStatus === 429 ? '' : `, until they were answered ${lastStatus}`
  const rate = efficiency({ done: served, sent })
  return `; clients that hammered instead had ${Math.min(served, work)} of ${work} in ${formatDuration(tookMs)}, served ${rate}${ended}`
}

const counted = (cases: number): string => (cases === 1 ? 'the one case' : `${cases} cases`)

const leftOutInWords = (leftOut: number): string =>
  leftOut === 0 ? '' : `; left out: ${leftOut} that could not be read`

const wording: Wording = {
  held: ({ examined }) =>
    examined === 1 ? 'held in the one case that was looked at' : `held in all ${examined} cases`,
  told: (f) =>
    `held in ${counted(f.told)} that would have shown a breach: ${f.cases}${f.kinds.length > 0 ? ` (${list(f.kinds)})` : ''}${leftOutInWords(f.leftOut)}`,
  'not-told': (f) =>
    `${f.told === 0 ? `nothing that could have shown a breach was seen: ${f.cases}` : `too little that could have shown a breach was seen: ${f.told} ${f.cases}`}; ${f.missing.length > 0 ? `missing: ${list(f.missing)}` : `${f.needed} more would do`}${leftOutInWords(f.leftOut)}`,
  'not-asked': (f) => `held in ${counted(f.told)}; nothing in this run asked for ${list(f.missing)} (${f.cases})`,
  'nothing-to-judge': ({ wanted }) =>
    `there was nothing to judge: the run holds no ${wanted.replace(/^(a|an|such a) /, '')}`,
  'no-answer': (f) => `${f.case}: no answer that could be judged (${f.detail})`,
  'control-failed': (f) =>
    `the control was not accepted (${f.control}: ${f.got}), so the cases beside it prove nothing`,
  'unexpected-status': (f) => `${f.case} was answered ${f.got}, where ${f.expected} is due`,
  'not-in-scenario': ({ probes }) => `the scenario does not play ${list(probes)}`,
  'left-out': ({ wish }) => `left out by ${wish}`,
  'probe-skipped': (f) => `${f.probe} could not be played: ${obstacle(f.reason)}`,
  'no-room-in-day': (f) => `on the ${f.plan} plan ${noRoomInWords(f)}`,
  'probe-incomplete': (f) => `${f.probe} did not come to its end: ${obstacle(f.reason)}`,
  'key-not-accepted': (f) =>
    `the ${f.key} key was never accepted in this run (${f.got}): it is not valid, or the target refuses one that is`,
  'ended-at-first-look': () => 'the run ended at its first look at address and keys, and proves nothing',
  'check-crashed': (f) => `the check itself failed, which is a defect of quotaspec: ${f.message}`,

  'not-declared-as-json': (f) => `${f.case} was answered ${f.status} with Content-Type ${f.contentType}`,
  'body-is-not-json': (f) => `${f.case} was answered ${f.status} with a body that is no JSON: ${f.detail}`,
  'body-undecodable': (f) =>
    `${f.case} was answered ${f.status} with a body in a coding that could not be undone (${f.coding})`,
  'bodies-break-off': (f) =>
    `the bodies of ${f.broken} of ${f.answers} answers of ${f.operation} with status ${f.status} broke off before their end`,
  'base-without-v1': ({ baseUrl }) => `the base address ${baseUrl} does not end with /v1`,
  'base-serves-nothing': ({ baseUrl }) => `nothing under ${baseUrl} answered 200`,

  'entry-is-no-object': ({ value }) => `an entry of the inventory is ${value}, no object`,
  'inventory-empty': () => 'the inventory is empty',
  'field-missing': ({ field }) => `an entry of the inventory has no ${field}`,
  'field-invalid': ({ field, value }) => `an entry of the inventory has ${value} as ${field}`,
  'further-fields': ({ fields }) =>
    fields.length === 0 ? 'entries have the three defined fields only' : `entries have further fields: ${list(fields)}`,
  'large-id-twice': ({ petId }) => `two entries of one list show the petId ${petId}: digits above 2^53 are lost`,
  'id-twice': ({ petId }) => `two entries of one list show the petId ${petId}`,
  'no-id-to-round': () => 'no pet has an id above 2^53 that a double would round',
  'large-id-changed': (f) => `a PATCH of ${f.asked} was answered with the petId ${f.shown}: digits above 2^53 are lost`,
  'no-large-ids': () => 'no pet has an id above 2^53',

  'list-is-no-array': (f) => `${f.case} was answered 200 with a body that is no array`,
  'change-not-shown': (f) => `pet ${f.petId} was set to ${f.written}, and the list then showed ${f.shown}`,
  'other-entries-changed': (f) =>
    `a PATCH of one pet also changed pet ${f.petId} from ${f.before} to ${f.after} (${f.changed} other entries in all)`,
  'somebody-else-writes': (f) =>
    `pet ${f.petId} went from ${f.before} to ${f.after} with nothing sent: somebody else writes`,
  'list-unreadable': ({ step }) => `the list could not be read (${step})`,
  'update-not-accepted': ({ got }) => `a valid PATCH of a pet that is there was answered ${got}`,
  'update-is-no-object': (f) => `${f.case} was answered 200 with a body that is no object`,
  'update-is-no-entry': (f) => `${f.case} was answered 200 with an object that shows neither petId nor quantity`,
  'update-shows-another-pet': (f) => `a PATCH of pet ${f.asked} was answered with pet ${f.shown}`,
  'update-shows-another-quantity': (f) => `a PATCH to ${f.sent} was answered with the quantity ${f.shown}`,
  'accepted-but-not-kept': (f) => `the quantity ${f.sent} of pet ${f.petId} was accepted and came back as ${f.shown}`,
  'all-bounds-refused': () => 'every quantity at the edges was refused, which is allowed',
  'quantity-bounds': (f) =>
    `accepted: ${list(f.accepted)}; refused: ${list(f.refused)}${f.lossy.length > 0 ? `; not kept exactly: ${list(f.lossy)}` : ''}`,
  'neighbour-changed': (f) => `a PATCH of pet ${f.asked} changed pet ${f.neighbour} from ${f.before} to ${f.after}`,
  'absent-neighbour-accepted': (f) =>
    `a PATCH of ${f.asked}, which no entry has, was accepted: it was taken for ${f.neighbour}`,
  'large-id-not-changed': (f) => `pet ${f.asked} was set to ${f.written}, and the list then showed ${f.shown}`,
  'large-id-not-found': (f) => `pet ${f.asked} is in the list, and a PATCH of it was answered ${f.got}`,
  'refused-but-changed': (f) =>
    `a PATCH that was answered ${f.status} changed pet ${f.petId} from ${f.before} to ${f.after}`,
  'walk-update-refused': (f) => `a valid PATCH was answered ${f.got}; the smallest walk that shows it: ${f.walk}`,
  'walk-update-misanswered': (f) =>
    `a PATCH was answered with the ${f.field} ${f.shown}, where ${f.sent} was sent; the smallest walk that shows it: ${f.walk}`,
  'walk-not-refused': (f) =>
    `an update was answered ${f.got}, where ${f.expected} is due; the smallest walk that shows it: ${f.walk}`,
  'walk-disagrees': (f) =>
    `the list shows ${f.shown} for pet ${f.petId}, where a model of the inventory has ${f.model}; the smallest walk that shows it: ${f.walk}`,
  'walk-refused-but-changed': (f) =>
    `updates that were all refused changed pet ${f.petId} from ${f.before} to ${f.after}; the smallest walk that shows it: ${f.walk}`,
  'walk-not-repeated': (f) =>
    `once the list showed ${f.shown} for pet ${f.petId}, where a model of the inventory had ${f.model}, and never again: ${f.walk}`,
  'operation-missing': (f) => `${f.case} without a key was answered ${f.got}: it is not there`,
  'cases-seen': ({ seen }) => seen.join('; '),

  'bad-form-not-refused': (f) =>
    `${f.case} with a credential that is none (${f.form.replaceAll('-', ' ')}) was answered ${f.got}, where 401 is due`,
  'no-bearer-challenge': (f) => `a 401 (${f.case}) has no Bearer challenge; WWW-Authenticate: ${f.challenge}`,
  'key-accepted-elsewhere': (f) =>
    `a key that was sent only as ${f.where.replaceAll('-', ' ')} was accepted (${f.got})`,

  'no-error-body': (f) => `${f.case} was answered ${f.status} without an Error body`,
  'error-field-wrong': (f) => `${f.case} was answered ${f.status} with an Error body whose ${f.field} ${f.problem}`,
  'status-disagrees': (f) => `${f.case} was answered ${f.http} with an Error body that says status ${f.body}`,
  'code-empty': ({ status }) => `the code in the Error body of a ${status} is empty`,
  'code-differs': (f) => `${f.condition} with different codes for one condition: ${list(f.codes)}`,
  'refusal-body': (f) => `a 429 carries ${f.form}${f.statusAgrees === false ? ', whose status is not 429' : ''}`,
  'never-refused': () => 'nothing was refused in this run',
  'server-error': (f) => `${f.case} was answered ${f.got}`,
  'inner-workings-shown': (f) => `the error answer to ${f.case} shows ${f.shown}`,

  'rate-headers-missing': (f) => `a ${f.status} came without ${list(f.missing)}`,
  'header-is-no-integer': (f) => `${f.header} on a ${f.status} is no integer: ${f.text}`,
  'limit-of-no-window': (f) =>
    `X-RateLimit-Limit on the ${f.plan} plan is ${f.shown}, neither ${f.minute} a minute nor ${f.day} a day`,
  'remaining-out-of-range': (f) =>
    `X-RateLimit-Remaining on a ${f.status} is ${f.remaining}, with a limit of ${f.limit}`,
  'remaining-on-refusal': (f) => `a 429 says that ${f.remaining} of ${f.limit} remain`,
  'remaining-does-not-fall': (f) =>
    `on the ${f.plan} plan Remaining went from ${f.from} to ${f.to} over ${f.requests} requests, where it has to fall by at least ${f.leastFall}`,
  'operation-counts-otherwise': (f) =>
    `on the ${f.plan} key each of ${f.times} requests of ${f.operation} took ${f.fall} off Remaining, and those of other operations ${f.otherwise}`,
  'operation-shown-late': (f) =>
    `on the ${f.plan} key none of ${f.times} answers of ${f.operation} shows its own request in Remaining: the answer after it shows two`,
  'remaining-falls-too-fast': (f) =>
    `on the ${f.plan} plan Remaining went from ${f.from} to ${f.to} over ${f.requests} requests`,
  'remaining-before-counting': (f) =>
    `on the ${f.plan} plan an admitted request says that all ${f.limit} remain: it is not counted in`,
  'refused-with-some-left': (f) =>
    `on the ${f.plan} plan an admitted request said that all ${f.limit} of the minute remain, and after ${f.spent} more the key was refused`,
  'key-of-plain-case': () => 'the key has no letters of both cases that are mixed as in no word',
  'somebody-else-spends': (f) =>
    `on the ${f.plan} plan Remaining fell by ${f.fall} over ${f.requests} requests: somebody else spends the key`,
  'reset-in-milliseconds': ({ reset }) =>
    `X-RateLimit-Reset is ${reset}: a timestamp in milliseconds, where seconds are due`,
  'reset-is-delta': ({ reset }) => `X-RateLimit-Reset is ${reset}: seconds from now, where a Unix timestamp is due`,
  'reset-in-past': (f) =>
    `X-RateLimit-Reset ${f.reset} lies ${formatDuration(f.byMs)} in the past, rounding and clocks allowed for`,
  'reset-by-another-clock': (f) =>
    `${f.resets === 1 ? 'one Reset lies' : `${f.resets} Resets lie`} outside the window by the clock of this machine (${f.reset} by ${formatDuration(f.byMs)}), and within it by another that the target may go by: its Date headers settle nothing`,
  'reset-beyond-window': (f) =>
    `X-RateLimit-Reset ${f.reset} lies ${formatDuration(f.byMs)} past the end of a window of ${formatDuration(f.windowMs)}`,
  'reset-after-window-ended': (f) =>
    `on the ${f.plan} plan the window was over ${formatDuration(f.byMs)} before the X-RateLimit-Reset (${f.reset}) that a refusal in it had named, rounding and clocks allowed for`,
  'header-more-than-once': (f) => `${f.header} appears ${f.times} times on ${f.case}`,
  'header-not-plain': (f) => `${f.header} on ${f.case} is ${f.text}, no plain decimal integer`,

  'explained-on-every-plan': (f) =>
    `explained on ${list(f.plans)}${f.models.length > 0 ? ` by ${list(f.models)}` : ''}`,
  'no-limiter-explains': (f) =>
    `on the ${f.plan} plan (${f.limit} a minute) no admissible limiter explains what was seen; for ${f.closest}, ${reasons[f.reason] ?? f.reason} (${f.exchanges} to explain away).${describe(f.looksLike, f.looksLikeFacts)}`,
  'quota-not-judged': (f) => `on the ${f.plan} plan: ${doubts[f.reason] ?? f.reason}`,
  'broken-the-other-way': (f) => `the ${f.plan} plan breaks ${f.clause}, which leaves this open`,
  'no-load-on-any-key': () => 'no load was put on any key',
  'algorithm-seen': ({ plans }) =>
    plans
      .map((each) => `${each.plan}: ${list(each.models)}; at most ${each.most} in a minute (limit ${each.limit})`)
      .join('; '),
  'cost-of-answers': ({ plans, unlimited }) =>
    [
      ...plans.map(
        (each) =>
          `${each.plan}: admitted ${costInWords(each.admitted)}, refused ${costInWords(each.refused)}${costRatios(each, unlimited)}`,
      ),
      ...(unlimited ? [`without a limit (${unlimited.plan}): ${costInWords(unlimited.admitted)}`] : []),
    ].join('; '),
  'nothing-to-compare': () => 'no load that was sent at full speed has both admitted and refused answers',
  'keys-of-a-plan': (f) =>
    f.shared
      ? `two keys of the ${f.plan} plan share one quota: the second was refused once the first was spent`
      : `two keys of the ${f.plan} plan have a quota each: the second was served once the first was spent`,
  'second-key-not-answered': (f) =>
    `the second key of the ${f.plan} plan was not answered as it has to be before it can be compared`,
  'day-not-explained': (f) =>
    `on the ${f.plan} plan (${f.limit} a day) no admissible limiter explains the day: ${f.admitted} were admitted; ${reasons[f.reason] ?? f.reason}.${describe(f.looksLike, f.looksLikeFacts)}`,
  'day-not-judged': (f) => `the day of the ${f.plan} plan: ${doubts[f.reason] ?? f.reason}`,
  'days-explained': (f) =>
    `explained on ${list(f.plans.map(({ plan, models }) => `${plan} (${list(models)})`))}${f.untested.length > 0 ? `; not tested: ${daysInWords(f.untested)}` : ''}`,
  'days-too-long': (f) => `no day fits what the scenario allows: ${daysInWords(f.untested)}`,
  'no-enterprise-key': () => 'no load was put on an Enterprise key',
  'enterprise-not-as-agreed': (f) =>
    `the Enterprise key is not held to ${f.limit} a minute.${describe(f.looksLike, f.looksLikeFacts)}`,

  'held-back-by-another-plan': (f) =>
    `the ${f.plan} key was refused right after the ${f.spent} key had been spent, though only ${f.sent} of its own ${f.limit} had been sent`,
  'limit-of-another-plan': (f) =>
    `the ${f.plan} plan is held to ${f.seen} a minute, the limit of the ${f.other} plan, instead of ${f.limit}`,
  'one-plan-only': () => 'two plans are needed for it, and the run has a key of one',
  'key-spent-already': (f) => `the ${f.plan} key was refused, and may have been spent before`,
  'held-by-another-key': (f) =>
    `on the ${f.plan} plan requests were refused that another plan's key had spent (QUOTA-4)`,
  'spelling-opens-quota': (f) =>
    `on the spent ${f.plan} key ${f.admitted} requests were admitted that no limiter explains: ${list(f.spellings)}`,
  'plain-quota-open': (f) =>
    `on the ${f.plan} plan it is not settled what the plain request may spend, so other spellings prove nothing`,
  'answers-that-count': (f) =>
    `count against the quota: ${list(f.counted)}; do not: ${list(f.free)}${f.unclear.length > 0 ? `; unclear: ${list(f.unclear)}` : ''}`,
  'refused-after-reset': (f) =>
    `on the ${f.plan} plan a request was answered ${f.status} ${formatDuration(f.lateMs)} after the moment that X-RateLimit-Reset (${f.reset}) had named`,
  'remaining-lags-in-burst': (f) =>
    `on the ${f.plan} plan Remaining went from ${f.from} to ${f.to} while ${f.admitted} were admitted, where it has to fall by at least ${f.leastFall}`,
  'admitted-long-before': (f) =>
    `on the ${f.plan} plan a request was admitted ${formatDuration(f.admittedAfterMs)} after a refusal that had asked for ${formatDuration(f.promisedMs)}`,
  'no-retry-after': () => 'a 429 came without Retry-After',
  'retry-after-malformed': ({ text }) => `Retry-After is "${text}", neither whole seconds nor an HTTP-date`,
  'refused-after-waiting': (f) =>
    `on the ${f.plan} plan a request was answered ${f.status} after ${formatDuration(f.waitedMs)} of silence, where Retry-After had said ${formatDuration(f.promisedMs)}`,
  'wait-overtaken': (f) =>
    `on the ${f.plan} plan a refusal named a wait of ${formatDuration(f.promisedMs)}, and ${formatDuration(f.refusedAfterMs)} later the key was refused still; as it was asked in between, that alone proves nothing`,
  'waits-of-a-day': (f) =>
    `all ${f.refused} refusals were those of a day or a ban, whose end nobody waits for in a run`,
  'no-usable-wait': () => 'no 429 named a wait that could be kept',
  'refused-with-another-status': (f) =>
    `on the ${f.plan} plan ${f.count} requests over the limit were answered ${f.status}, not 429 (${f.admitted} of ${f.limit} were admitted)`,
  'held-back-once': (f) =>
    `on the ${f.plan} plan a request over the limit was held for ${f.heldMs < 0 ? 'longer than the time limit' : formatDuration(f.heldMs)} in one load and in no other, which a machine that stood still explains too`,
  'slow-within-limit': (f) =>
    `on the ${f.plan} plan requests within the limit took ${f.withinMs < 0 ? 'longer than the time limit' : `up to ${formatDuration(f.withinMs)}`}: whether those beyond it were held back can't be told`,
  'bodies-without-end': () => 'bodies of the load did not end, and what came after them may have waited for that',
  'held-back': (f) =>
    `on the ${f.plan} plan a request over the limit was held for ${f.heldMs < 0 ? 'longer than the time limit' : formatDuration(f.heldMs)}, where ${formatDuration(f.mostMs)} is the most`,
  'obedient-banned': (f) =>
    `on the ${f.plan} plan clients that had waited as told were answered ${f.status} in round ${f.round}, after ${f.served} requests had been served`,
  'obedient-never-served': (f) =>
    `on the ${f.plan} plan clients that waited as told were served nothing for ${formatDuration(f.unservedMs)}: ${f.done} of ${f.work} requests were done`,
  'obedient-cut-short': (f) =>
    `on the ${f.plan} plan clients that waited as told had done ${f.done} of ${f.work} requests when their time was over`,
  'obedient-served': ({ plays }) =>
    plays
      .map(
        (each) =>
          `${each.plan}: ${each.done} requests in ${formatDuration(each.tookMs)} and ${each.rounds} rounds (at best ${formatDuration(each.idealMs)}), served ${efficiency(each)}${besideHammering(each)}`,
      )
      .join('; '),
  'ban-seen': (f) =>
    `the ${f.plan} key was banned after ${f.refusedBefore} refusals in a row: ${f.status} with ${list(f.headers)}; ${f.lengthMs === null ? 'not lifted while the run waited' : `lifted within ${formatDuration(f.lengthMs)}`} (asked ${f.askedMeanwhile} times meanwhile)`,
  'no-ban-seen': (f) => `the ${f.plan} key was not banned: ${f.refused} refused requests changed nothing`,
  'refusal-cacheable': ({ cacheControl }) => `a 429 is marked as cacheable: Cache-Control: ${cacheControl}`,

  'deprecation-not-marked': ({ status }) => `GET /pets/{petId} (${status}) carries neither Deprecation nor Sunset`,
  'stability-shown': ({ headers }) =>
    headers.length === 0 ? 'no header tells of stability' : `shown by ${list(headers)}`,
}

/** A finding in one sentence. What more of the same was seen is told at its end. */
export const sentenceOf = ({ code, facts }: Finding): string => {
  const say = (wording as Readonly<Record<string, ((facts: never) => string) | undefined>>)[code]
  const sentence = say ? say(facts as never) : code
  const { others } = facts
  return typeof others === 'number' && others > 0 ? `${sentence} (and ${others} more)` : sentence
}
