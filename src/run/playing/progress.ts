/** An event during a run. Times are in milliseconds since the run's start. */
export type RunEvent =
  /** A note that also appears in the report. */
  | { readonly kind: 'note'; readonly at: number; readonly text: string }
  /** A probe began or ended. */
  | {
      readonly kind: 'probe'
      readonly at: number
      readonly probe: string
      readonly key: string
      /** All keys of a probe that uses several keys together. */
      readonly keys?: readonly string[]
      readonly state: string
    }
  /** A key waits, such as for a window to end. */
  | {
      readonly kind: 'waiting'
      readonly at: number
      readonly key: string
      readonly until: number
      readonly why: string
    }
  /** The number of requests sent since the last such event. */
  | { readonly kind: 'sent'; readonly at: number; readonly count: number }
  /** A defect of quotaspec itself; the report's exit code is then 4. */
  | { readonly kind: 'defect'; readonly at: number; readonly probe: string; readonly error: unknown }

/** Progress of a run: a program's events, and also loads that take long and the agents that send them. */
export type Progress =
  | Exclude<RunEvent, { readonly kind: 'defect' }>
  /** A load: `planned` as it begins, where it takes long; `sent` as it ends. */
  | {
      readonly kind: 'load'
      readonly at: number
      readonly probe: string
      readonly key: string
      readonly planned?: { readonly amount: number; readonly lastsMs: number }
      readonly sent?: number
    }
  | {
      readonly kind: 'agent'
      readonly at: number
      readonly agent: string
      readonly sent: number
      readonly loads: readonly string[]
      readonly clockErrorMs: number | null
      /** Why it no longer takes part; null while it does. */
      readonly lost: string | null
    }
