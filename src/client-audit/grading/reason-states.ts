import type { Finding } from '../../verdict/verdict.js'
import type { GradeReason } from './grade.js'

const reason =
  (state: GradeReason['state']) =>
  <F extends Finding>(atBest: GradeReason['atBest'], finding: F) => ({ atBest, state, finding })

/** A reason that nothing else explains. */
export const stands = reason('stands')

/** One that a stall of the machine, or a request that was under way, may explain as well; or too little was seen. */
export const open = reason('open')
