import { gradeLetters } from '../client/grade-letters.js'
import type { Declared } from './surface.js'

export const clientSurface = {
  command: 'client [words..]',
  describe: "Audit a client's backoff: quotaspec client -- COMMAND …",
  positionals: { words: { type: 'string', array: true, describe: 'The command, after --' } },
  options: {
    case: { type: 'string', array: true, default: [], describe: 'Cases to play, and no others' },
    cases: {
      type: 'string',
      value: 'FILE',
      default: 'backoff',
      describe: 'A file of cases: backoff, or the path of a YAML file',
    },
    listen: {
      type: 'boolean',
      default: false,
      describe: 'Wait for a client that is started elsewhere; Ctrl-C ends it',
    },
    judge: { type: 'string', value: 'DIR', describe: 'Judge a saved audit again, offline: its folder' },
    'at-least': {
      choices: gradeLetters,
      describe: 'Exit 1 where even the best possible grade is lower, 2 where the grade is open and may be lower',
    },
    watch: { type: 'number', sample: '60', describe: 'Seconds for which each play is watched, where that is longer' },
    out: {
      type: 'string',
      value: 'DIR',
      default: 'reports/client',
      describe: 'Folder for the arrivals and the reports',
    },
    strict: { type: 'boolean', default: false, describe: 'Fail on "should" clauses too' },
  },
  examples: [
    ['quotaspec client -- node my-client.js', 'starts it some 60 times, and grades it from A to F'],
    ['quotaspec client --at-least B -- python client.py', 'ends with 1 where the grade is lower'],
  ],
} as const satisfies Declared
