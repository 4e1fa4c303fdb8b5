import type { Declared } from './surface.js'

export const completionSurface = {
  command: 'completion',
  describe: 'Print a script that completes commands, flags and names in bash or zsh',
  examples: [
    ['quotaspec completion >> ~/.bashrc', 'from the next shell on'],
    ['quotaspec completion >> ~/.zshrc', 'the same in zsh'],
  ],
} as const satisfies Declared
