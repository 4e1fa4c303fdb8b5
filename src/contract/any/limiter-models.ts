/** The admissible limiters, or models: each is an honest reading of "60 requests per minute". */
export const modelNames = [
  'fixed-window',
  'fixed-window-first-request',
  'interval-refill',
  'interval-refill-idle',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
] as const
export type ModelName = (typeof modelNames)[number]
