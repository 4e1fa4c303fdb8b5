import type { Server, Socket } from 'node:net'
import type { Resolve } from '../../src/wire/http/pin-address.js'
import type { Turn } from './front.js'

/** One way in which a target is hostile or broken, or only unusual. */
export interface Behaviour {
  readonly id: string
  /** What the target does, as the end of a sentence that begins with "a target that". */
  readonly does: string
  /**
   * `conforming`: unusual and allowed, so that anything but a pass would be a false alarm. `odd`: against HTTP in a way
   * that the interface does not speak of, so that a failed clause would be one. The others must never pass: `unproven`
   * ones can't be judged, `broken` ones fail, `bad` ones do either.
   */
  readonly kind: 'conforming' | 'odd' | 'unproven' | 'broken' | 'bad'
  /** What it does with a request; healthy where it is left out. */
  readonly act?: (turn: Turn) => void | Promise<void>
  readonly onConnection?: (socket: Socket) => void
  /** Where the front is no plain TCP server. */
  readonly make?: (listener: (socket: Socket) => void) => Server
  readonly scheme?: 'http' | 'https'
  /** The name in the address, in place of 127.0.0.1, and what it stands for. */
  readonly host?: string
  readonly resolve?: Resolve
  /** Flags of `run` besides the usual ones. */
  readonly flags?: { readonly ca?: string; readonly insecure?: boolean }
  /** Whether nothing listens at all. */
  readonly closed?: boolean
  /**
   * False where it can't be told apart under load, nothing of it happens there, or another stands for it: what only a text's
   * or a value's reader can stumble over.
   */
  readonly underLoad?: false
}
