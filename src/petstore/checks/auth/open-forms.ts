import { openCheck } from '../shapes.js'

export const openFormsCheck = openCheck({
  id: 'auth.open-forms',
  promise: 'Spellings of the header that standards let servers read either way are reported.',
  clauses: ['AUTH-4'],
  asks: ['key-elsewhere', 'open'],
})
