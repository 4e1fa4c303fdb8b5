/** `worse` is a regression; `other` is a change that is neither better nor worse. */
export type ChangeKind = 'worse' | 'better' | 'other'
