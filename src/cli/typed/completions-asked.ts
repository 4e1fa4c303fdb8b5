/** The word by which a shell's script asks what may stand where the cursor is; what was typed stands behind it. */
export const completionsAsked = '--get-yargs-completions'
