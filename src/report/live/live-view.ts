/** What a key does at a moment of a run. */
export interface LiveLane {
  readonly key: string
  /** The probe that is played on it; null where it waits for the others, or is done. */
  readonly probe: string | null
  /** What that probe does, in a sentence. */
  readonly summary: string
  readonly wait: {
    readonly leftMs: number
    /** The time of day at which it ends: `12:00:08`. */
    readonly until: string
    readonly why: string
  } | null
  /** Probes that came to an end on it. */
  readonly done: number
}

/** An agent that sends a run's loads, with what it does. */
export interface LiveAgent {
  readonly name: string
  readonly doing: string
  readonly isLost: boolean
}

/** Something that happened. */
export interface LiveLine {
  /** Milliseconds since the run's start. */
  readonly at: number
  readonly text: string
  /** Whether something went amiss. */
  readonly isAmiss: boolean
}

/** A run as it stands, before it has a report. */
export interface LiveView {
  readonly elapsedMs: number
  readonly foreseen: { readonly requests: number; readonly durationMs: number }
  /** The time of day at which it ends, as planned; null where that has passed. */
  readonly endsAbout: string | null
  readonly sent: number
  readonly lanes: readonly LiveLane[]
  readonly agents: readonly LiveAgent[]
  /** The latest first. */
  readonly lines: readonly LiveLine[]
  /** How many earlier ones there were. */
  readonly linesLeftOut: number
}

/** The places of the page that change while a run goes on, each with its markup. */
export interface LiveParts {
  readonly progress: string
  readonly standing: string
  readonly lanes: string
  readonly soFar: string
  readonly log: string
}

/** The parts that a judgement on the way fills. */
export type JudgedParts = Pick<LiveParts, 'standing' | 'soFar'>
