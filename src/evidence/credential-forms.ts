interface Traits {
  /** Whether the whole key is sent, so that a target may count the request against it. */
  readonly carriesKey: boolean
  /**
   * `valid`: a credential of the interface. `unknown`: a well-formed key that nobody owns, to be answered 401 (AUTH-2).
   * `refused`: no form of the interface, also 401 (AUTH-4). `elsewhere`: the key in a wrong place (AUTH-4). `open`: standards
   * allow either reading.
   */
  readonly is: 'valid' | 'unknown' | 'refused' | 'elsewhere' | 'open'
}

/** How a request identifies its client: every form that a probe may use, and what is known about it. */
export const credentialForms = {
  /** As a contract file says to send the credential. */
  agreed: { carriesKey: true, is: 'valid' },
  bearer: { carriesKey: true, is: 'valid' },
  'lower-case-scheme': { carriesKey: true, is: 'valid' },
  'upper-case-scheme': { carriesKey: true, is: 'valid' },
  'unknown-key': { carriesKey: false, is: 'unknown' },
  'key-last-changed': { carriesKey: false, is: 'unknown' },
  'key-middle-changed': { carriesKey: false, is: 'unknown' },
  'key-cut-at-front': { carriesKey: false, is: 'unknown' },
  'null-as-key': { carriesKey: false, is: 'unknown' },
  'property-as-key': { carriesKey: false, is: 'unknown' },
  'empty-bearer': { carriesKey: false, is: 'refused' },
  'key-cut-by-one': { carriesKey: false, is: 'refused' },
  'key-extended': { carriesKey: false, is: 'refused' },
  'key-and-more': { carriesKey: true, is: 'open' },
  'key-and-comma': { carriesKey: true, is: 'refused' },
  basic: { carriesKey: true, is: 'refused' },
  'basic-scheme-with-key': { carriesKey: true, is: 'refused' },
  'another-scheme': { carriesKey: true, is: 'refused' },
  'bearer-twice': { carriesKey: true, is: 'refused' },
  'no-blank': { carriesKey: true, is: 'refused' },
  'bare-key': { carriesKey: true, is: 'refused' },
  'query-access-token': { carriesKey: true, is: 'elsewhere' },
  'query-api-key': { carriesKey: true, is: 'elsewhere' },
  cookie: { carriesKey: true, is: 'elsewhere' },
  'trailing-blanks': { carriesKey: true, is: 'open' },
  'tab-after-scheme': { carriesKey: true, is: 'open' },
  'blanks-after-scheme': { carriesKey: true, is: 'open' },
  'key-percent-encoded': { carriesKey: true, is: 'open' },
  'api-key-header': { carriesKey: true, is: 'open' },
  'key-in-other-case': { carriesKey: true, is: 'open' },
  'two-headers': { carriesKey: true, is: 'open' },
} as const satisfies Readonly<Record<string, Traits>>

export type CredentialForm = keyof typeof credentialForms

type FormThatIs<Is extends Traits['is']> = {
  [Form in CredentialForm]: (typeof credentialForms)[Form]['is'] extends Is ? Form : never
}[CredentialForm]

const traitsOf = (form: string): Traits | undefined =>
  Object.hasOwn(credentialForms, form) ? credentialForms[form as CredentialForm] : undefined

/** The forms of a kind, in the order of the table. */
export const formsThatAre = <Is extends Traits['is']>(is: Is): FormThatIs<Is>[] =>
  (Object.keys(credentialForms) as CredentialForm[]).filter(
    (form): form is FormThatIs<Is> => credentialForms[form].is === is,
  )

/** Whether a target may count the request against the key: `none`, and forms without the whole key, spend no quota. */
export const carriesKey = (form: string): boolean => traitsOf(form)?.carriesKey ?? form !== 'none'

/** Whether the form is a credential of the interface; a request with any other counts as a stranger's. */
export const isValidForm = (form: string): boolean => traitsOf(form)?.is === 'valid'

export interface KeyLabel {
  readonly name: string
  readonly form:
    | 'whole'
    | 'basic-pair'
    | 'other-case'
    | 'other-case-pair'
    | 'percent-encoded'
    /** Which character, from 1 on, is which other one. */
    | { readonly place: number; readonly to: string }
    | { readonly cutOff: number; readonly at?: 'front' }
}

/** `‹free key›`, `‹Basic pair of the free key›`, `‹free key, its last 2 characters cut off›`. */
export const keyLabel = ({ name, form }: KeyLabel): string => {
  if (form === 'whole') return `‹${name} key›`
  if (form === 'basic-pair') return `‹Basic pair of the ${name} key›`
  if (form === 'other-case') return `‹${name} key in other letter case›`
  if (form === 'other-case-pair') return `‹Basic pair of the ${name} key in other letter case›`
  if (form === 'percent-encoded') return `‹${name} key percent-encoded›`
  if ('to' in form) return `‹${name} key with ${form.to} as character ${form.place}›`
  return `‹${name} key, its ${form.at === 'front' ? 'first' : 'last'} ${form.cutOff === 1 ? 'character' : `${form.cutOff} characters`} cut off›`
}

const label =
  /‹(?:(?<pair>Basic pair of the )?(?<name>[a-z]+(?:-\d+)?) key(?:, its (?<at>first|last) (?<cut>character|\d+ characters) cut off|(?<swapped> in other letter case)|(?<encoded> percent-encoded)| with (?<to>\S) as character (?<place>\d+))?)›/

const formOf = ({ pair, at, cut, swapped, encoded, to, place }: Partial<Record<string, string>>): KeyLabel['form'] => {
  if (pair) return swapped ? 'other-case-pair' : 'basic-pair'
  if (swapped) return 'other-case'
  if (encoded) return 'percent-encoded'
  if (to) return { place: Number(place), to }
  return cut ? { cutOff: Number.parseInt(cut, 10) || 1, ...(at === 'first' && { at: 'front' }) } : 'whole'
}

/** Recorded text in parts, plain or a label of a key. Inverse of {@link keyLabel}; what only looks like one is text. */
export const splitAtKeyLabels = (text: string, isName: (name: string) => boolean): (string | KeyLabel)[] => {
  const parts: (string | KeyLabel)[] = []
  let from = 0
  for (const found of text.matchAll(new RegExp(label, 'g'))) {
    const { name = '' } = found.groups ?? {}
    if (!isName(name)) continue
    parts.push(text.slice(from, found.index), { name, form: formOf(found.groups ?? {}) })
    from = found.index + found[0].length
  }
  return [...parts, text.slice(from)]
}
