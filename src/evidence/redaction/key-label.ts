/** What stands in the record where a key, or what was made of one, went out. */
export interface KeyLabel {
  /** The key's name: `free`, `pro-2`. */
  readonly name: string
  readonly form: 'whole' | 'basic-pair' | 'other-case' | { readonly cutOff: number }
}

/** `‹free key›`, `‹Basic pair of the free key›`, `‹free key, its last 2 characters cut off›`. */
export const keyLabel = ({ name, form }: KeyLabel): string => {
  if (form === 'whole') return `‹${name} key›`
  if (form === 'basic-pair') return `‹Basic pair of the ${name} key›`
  if (form === 'other-case') return `‹${name} key in other letter case›`
  return `‹${name} key, its last ${form.cutOff === 1 ? 'character' : `${form.cutOff} characters`} cut off›`
}

const label =
  /‹(?:(?<pair>Basic pair of the )?(?<name>[a-z]+(?:-\d+)?) key(?:, its last (?<cut>character|\d+ characters) cut off|(?<swapped> in other letter case))?)›/

const formOf = ({ pair, cut, swapped }: Partial<Record<string, string>>): KeyLabel['form'] => {
  if (pair) return 'basic-pair'
  if (swapped) return 'other-case'
  return cut ? { cutOff: Number.parseInt(cut, 10) || 1 } : 'whole'
}

/**
 * Recorded text in parts: what stands there as it is, and the labels of the keys with these names. Inverse of
 * {@link keyLabel}; what only looks like a label stays text.
 */
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
