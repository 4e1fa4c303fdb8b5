import { exitCodes } from '../../assembly/exit-code.js'
import { visible } from '../../report/escape.js'
import { type Paint, painter, wrap } from '../../report/formats/terminal-text.js'
import { untilInterrupted } from '../output/interruption.js'
import { terminalLook } from '../output/summary.js'
import { type ConfiguredArgs, configuredRun } from '../run/configured-run.js'
import { examineTarget, ownLateness } from './doctor-facts.js'
import { type DoctorFinding, findingsOf } from './doctor-findings.js'

const marks = { fine: ['✓', 'green'], note: ['!', 'yellow'], bad: ['✗', 'red'] } as const
const topicWidth = 15

const lines = ({ topic, state, text, advice }: DoctorFinding, width: number, paint: Paint): string[] => {
  const [mark, style] = marks[state]
  const indent = ' '.repeat(topicWidth + 3)
  const [first = '', ...more] = wrap(text, width - indent.length)
  return [
    `${paint(style, mark)} ${visible(topic).padEnd(topicWidth)} ${first}`,
    ...[...more, ...(advice === undefined ? [] : wrap(`→ ${advice}`, width - indent.length))].map(
      (line) => `${indent}${line}`,
    ),
  ]
}

/** Looks at a target, its keys and this machine, and says what to do about what is amiss. */
export const doctor = async (args: ConfiguredArgs): Promise<void> => {
  const { signal, release } = untilInterrupted()
  const { width, colour } = terminalLook()
  try {
    const { settled, contract } = await configuredRun(args)
    const facts = await examineTarget(settled, contract, signal)
    const found = findingsOf({ ...facts, lateness: await ownLateness(), nowMs: Date.now() })
    const text = found.flatMap((each) => lines(each, width, painter(colour)))
    process.stdout.write(`${text.join('\n')}\n`)
    process.exitCode = found.some(({ state }) => state === 'bad') ? exitCodes.inconclusive : exitCodes.pass
  } finally {
    release()
  }
}
