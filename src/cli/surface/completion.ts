import type { Surface } from './surface.js'

export const completionSurface: Surface = {
  command: 'completion',
  describe: 'Print a script that completes commands, flags and names in bash or zsh',
  examples: [
    ['quotaspec completion >> ~/.bashrc', 'from the next shell on'],
    ['quotaspec completion >> ~/.zshrc', 'the same in zsh'],
  ],
  load: async () => (await import('../typed/completion-script.js')).printCompletionScript,
}
