interface Traits {
  /** Whether the whole key goes out, so that a target may count the request on it. */
  readonly carriesKey: boolean
  /**
   * `valid`: a credential of the interface. `refused`: none of its forms, to be answered 401 (AUTH-2, AUTH-4).
   * `elsewhere`: the key where none is looked for (AUTH-4). `open`: spellings that standards let servers read either way.
   */
  readonly is: 'valid' | 'refused' | 'elsewhere' | 'open'
}

/** How a request says who it is: every form that a probe may ask with, and what is known of it. */
export const credentialForms = {
  /** As a contract file says that the credential is sent. */
  agreed: { carriesKey: true, is: 'valid' },
  bearer: { carriesKey: true, is: 'valid' },
  'lower-case-scheme': { carriesKey: true, is: 'valid' },
  'upper-case-scheme': { carriesKey: true, is: 'valid' },
  'unknown-key': { carriesKey: false, is: 'refused' },
  'empty-bearer': { carriesKey: false, is: 'refused' },
  'key-cut-by-one': { carriesKey: false, is: 'refused' },
  'key-extended': { carriesKey: false, is: 'refused' },
  basic: { carriesKey: true, is: 'refused' },
  'basic-scheme-with-key': { carriesKey: true, is: 'refused' },
  'bare-key': { carriesKey: true, is: 'refused' },
  'query-access-token': { carriesKey: true, is: 'elsewhere' },
  'query-api-key': { carriesKey: true, is: 'elsewhere' },
  cookie: { carriesKey: true, is: 'elsewhere' },
  'key-and-more': { carriesKey: true, is: 'open' },
  'trailing-blanks': { carriesKey: true, is: 'open' },
  'tab-after-scheme': { carriesKey: true, is: 'open' },
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

/** Whether a target may count the request on the key: `none`, and forms without the whole key, spend nobody's quota. */
export const carriesKey = (form: string): boolean => traitsOf(form)?.carriesKey ?? form !== 'none'

/** Whether the form is a credential of the interface; what goes out with any other is booked as a stranger's. */
export const isValidForm = (form: string): boolean => traitsOf(form)?.is === 'valid'
