import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a command and returns its output. Throws with all of its output if it exits with anything but 0. */
export const command = async (
  name: string,
  args: readonly string[],
  { cwd, env = process.env }: CommandOptions,
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  try {
    return await execute(name, args, { cwd, env, maxBuffer: 64 * 2 ** 20 })
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause })
  }
}
