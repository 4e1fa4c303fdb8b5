import yargs from 'yargs'

/** Prints the script that has bash or zsh, whichever this is called from, ask this program. */
export const printCompletionScript = (): void => {
  yargs([]).scriptName('quotaspec').completion('completion', false).showCompletionScript()
}
