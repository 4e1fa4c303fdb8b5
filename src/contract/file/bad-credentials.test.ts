import { describe } from 'vitest'
import { from, refusalTable } from './testing/spoiled-contracts.js'

describe('credentials are refused for', () => {
  refusalTable([
    [
      'none at all',
      from('  free', 'requests:'),
      '  {}\n',
      'acme.yaml:3: credentials: needs at least one credential: anon: {scheme: none} if requests carry none',
    ],
    [
      'a scheme that there is not',
      'scheme: bearer',
      'scheme: baerer',
      'acme.yaml:4: credentials.free.scheme: must be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else: did you mean bearer?',
    ],
    [
      'a header without its name',
      'scheme: header X-Api-Key',
      'scheme: header',
      'acme.yaml:5: credentials.pro.scheme: needs a name: write header and the name, such as header X-Api-Key',
    ],
    [
      'a secret in the scheme',
      'scheme: bearer',
      'scheme: bearer s3cret-0123456789',
      'acme.yaml:4: credentials.free.scheme: must be bearer, basic, header NAME, query NAME, cookie NAME or none, and nothing else',
    ],
    [
      'a header whose name is none',
      'scheme: header X-Api-Key',
      'scheme: header X(Api)Key',
      "acme.yaml:5: credentials.pro.scheme: X(Api)Key can't be the name of a header: write letters, digits and hyphens",
    ],
    [
      'no variable',
      ', env: ACME_KEY_FREE',
      '',
      'acme.yaml:4: credentials.free: needs the name of the environment variable that holds its secret: add env: ACME_KEY_FREE',
    ],
    [
      'a variable for nobody',
      '{scheme: none}',
      '{scheme: none, env: ACME_KEY_ANON}',
      'acme.yaml:6: credentials.anon.env: does not go with scheme: none, which sends nothing: remove it',
    ],
    [
      'a secret in place of a variable',
      'env: ACME_KEY_FREE',
      'env: sk-live-51H8s3cret',
      'acme.yaml:4: credentials.free.env: must be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (the value is not shown here)',
    ],
    [
      'a secret that could be a variable',
      'env: ACME_KEY_FREE',
      'env: AKIA0123456789ABCDEF',
      'acme.yaml:4: credentials.free.env: must be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (the value is not shown here)',
    ],
    [
      'a variable with its dollar',
      'env: ACME_KEY_FREE',
      'env: $ACME_KEY_FREE',
      'acme.yaml:4: credentials.free.env: must be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (the value is not shown here)',
    ],
    [
      'two with one secret',
      'env: ACME_KEY_PRO',
      'env: ACME_KEY_FREE',
      'acme.yaml:5: credentials.pro: is the same caller as free, because both have the secret in ACME_KEY_FREE: leave one out, or give it a secret of its own',
    ],
    [
      'a field misspelt',
      'scheme: bearer, env',
      'scheme: bearer, evn',
      'acme.yaml:4: credentials.free.evn is not a field of a contract: did you mean env?',
    ],
    [
      'a name in capitals',
      '  pro: {',
      '  Pro: {',
      'acme.yaml:5: credentials.Pro: must be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a text in place of fields',
      '{scheme: none}',
      'none',
      'acme.yaml:6: credentials.anon: must be fields such as {scheme: bearer, env: ACME_KEY}',
    ],
  ])
})
