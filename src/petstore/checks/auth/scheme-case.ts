import { statusCheck } from '../shapes.js'

export const schemeCaseCheck = statusCheck({
  id: 'auth.scheme-case',
  promise: 'The name of the Bearer scheme is accepted in lower and in upper case.',
  clauses: ['AUTH-7'],
  advice: 'Look at how the header is parsed: the word Bearer is to be compared without regard to case.',
  asks: ['scheme-case', 'other-case'],
  due: 200,
  cases: 'requests with the scheme in another case',
  kinds: { 'lower case scheme': ['scheme-case'], 'upper case scheme': ['scheme-case'] },
  kindOf: ({ credential }) => credential.replaceAll('-', ' '),
  controlled: true,
})
