import { scalar } from '../../contract/file/write-contract.js'
import { isLoopback } from '../../run/options/target.js'

/** The configuration by which `quotaspec run` needs no flag in the folder. Leave for load is its owner's to give. */
export const configText = ({
  target,
  contract,
  scenario,
}: Readonly<
  Record<'target' | 'contract' | 'scenario', string>
>): string => `# What quotaspec run and quotaspec plan go by in this folder. Flags go before it; secrets never stand in it.
target: ${scalar(target)}
contract: ${scalar(contract)}
scenario: ${scalar(scenario)}
${isLoopback(target) ? '' : '# Load may go to this target, and to no other, once this is no comment:\n# allowLoad: true\n'}`
