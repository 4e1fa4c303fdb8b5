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

/** What each is called where people read of it. Its id stays what files and `report.json` have. */
export const limiterNames: Readonly<Record<ModelName, string>> = {
  'fixed-window': 'fixed windows',
  'fixed-window-first-request': 'windows that begin with the first request',
  'interval-refill': 'a refill at intervals',
  'interval-refill-idle': 'a refill at intervals that stops while nothing is sent',
  'sliding-log': 'a sliding log',
  'sliding-counter': 'a sliding counter',
  'token-bucket': 'a token bucket',
  gcra: 'GCRA (a leaky bucket)',
}

/** The name of a limiter by its id; an id that is not known stays as it is. */
export const limiterName = (id: string): string =>
  Object.hasOwn(limiterNames, id) ? limiterNames[id as ModelName] : id
