import { lineIn, type YamlFile } from '../../kit/yaml-file.js'
import type { ApiContract } from '../api-contract.js'
import type { OpenApiDocument } from './openapi-document.js'

const shown = ({ scheme, name }: ApiContract['credentials'][string]): string =>
  name === undefined ? scheme : `${scheme} ${name}`

/** The credentials that are shown in a way of which the document says nothing: it or the contract may be wrong. */
export const schemeNotes = (
  place: YamlFile,
  credentials: ApiContract['credentials'],
  { name: document, schemes }: OpenApiDocument,
): string[] => {
  const known = schemes.filter((each) => each !== undefined)
  if (known.length === 0 || known.length < schemes.length) return []
  const lower = known.map((each) => each.toLowerCase())
  return Object.entries(credentials).flatMap(([name, spec]) =>
    spec.scheme === 'none' || lower.includes(shown(spec).toLowerCase())
      ? []
      : [
          `${lineIn(place, ['credentials', name, 'scheme'])}: credentials.${name}.scheme: ${document} knows ${known.join(', ')}, and not ${shown(spec)}`,
        ],
  )
}
