import { scalar } from '../../contract/file/write-contract.js'
import { isLoopback } from '../../run/options/target.js'

export interface CiFacts {
  readonly name: string
  readonly target: string
  /** The variable that holds the secret; undefined where there is none. */
  readonly variable: string | undefined
  /** From the root of the repository. */
  readonly contract: string
  readonly scenario: string
}

/** The name of the repository's secret: GitHub has none that begins with GITHUB_. */
export const secretName = (variable: string): string => variable.replace(/^GITHUB_/i, 'GH_')

/** Lines of the load's leave, where the target is not the machine that the pipeline runs on. */
const leave = (target: string, indent: string, line: string): string =>
  isLoopback(target)
    ? `${indent}# It has to be started before, in this job.\n`
    : `${indent}# Load may go to ${target}: without this line the run ends before it, with 2.\n${indent}${line}\n`

const secretLines = (variable: string | undefined): string =>
  variable === undefined
    ? ''
    : `    env:
      # A secret of the repository: Settings, Secrets and variables, Actions.
      ${variable}: \${{ secrets.${secretName(variable)} }}
`

/** A workflow of GitHub Actions. */
export const githubText = ({
  name,
  target,
  variable,
  contract,
  scenario,
}: CiFacts): string => `# Holds ${name} to its quotas: each night, and whenever somebody starts it.
name: quotaspec
on:
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
jobs:
  quota-gate:
    runs-on: ubuntu-latest
    # One run at a time: two of them on one credential would spend each other's quota.
    concurrency: quotaspec
${secretLines(variable)}    steps:
      - uses: actions/checkout@v4
      # REPLACE OWNER: the account that has the repository of quotaspec.
      - uses: OWNER/quotaspec@v0
        with:
          target: ${scalar(target)}
          contract: ${scalar(contract)}
          scenario: ${scalar(scenario)}
${leave(target, '          ', "allow-load: 'true'")}`

/** A part of a GitLab pipeline. */
export const gitlabText = ({
  name,
  target,
  variable,
  contract,
  scenario,
}: CiFacts): string => `# Holds ${name} to its quotas.${variable === undefined ? '' : ` ${variable} is a variable of the project: masked, and protected.`}
include:
  # REPLACE git.example, here and below: where the repository of quotaspec is.
  - remote: https://git.example/quotaspec/-/raw/main/ci/gitlab.yml
quotaspec:
  variables:
    QUOTASPEC_REPOSITORY: https://git.example/quotaspec.git
    QUOTASPEC_TARGET: ${scalar(target)}
    QUOTASPEC_CONTRACT: ${scalar(contract)}
    QUOTASPEC_SCENARIO: ${scalar(scenario)}
${leave(target, '    ', "QUOTASPEC_ALLOW_LOAD: 'true'")}  # One run at a time: two of them on one credential would spend each other's quota.
  resource_group: quotaspec
`
