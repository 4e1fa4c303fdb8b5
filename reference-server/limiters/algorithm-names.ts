/** The names of the ways of counting that the server knows. */
export const algorithmNames = [
  'fixed-window',
  'fixed-window-first-request',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
  'interval-refill',
  'interval-refill-idle',
] as const

export type AlgorithmName = (typeof algorithmNames)[number]
