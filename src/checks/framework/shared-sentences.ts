import type { PetChange } from '../../contract/petstore/inventory-model.js'
import { caseSentences } from './judge-cases.js'
import { concludedSentences } from './needs.js'
import { unplayedSentences } from './unplayed.js'

/** The sentences for codes that several checks give: those of finding makers that they share, and of like findings. */
export const sharedSentences = {
  ...concludedSentences,
  ...caseSentences,
  ...unplayedSentences,
  'inventory-empty': () => 'the inventory is empty',
  'list-unreadable': ({ step }: { step: string }) => `the list could not be read (${step})`,
  'somebody-else-writes': (f: PetChange) =>
    `pet ${f.petId} changed from ${f.before} to ${f.after} although nothing was sent: somebody else writes`,
  'id-twice': ({ petId }: { petId: string }) => `two entries of one list show the petId ${petId}`,
  'refused-but-changed': (f: PetChange & { status: number }) =>
    `a PATCH that was answered ${f.status} changed pet ${f.petId} from ${f.before} to ${f.after}`,
  'status-changed-once': (f: PetChange & { status: number }) =>
    `once, pet ${f.petId} changed from ${f.before} to ${f.after} after a PATCH that was answered ${f.status}: the PATCH changed it, or somebody else did`,
  'update-is-no-object': (f: { case: string }) => `${f.case} was answered 200 with a body that is not an object`,
  'accepted-but-not-kept': (f: { petId: string; sent: string; shown: string }) =>
    `the quantity ${f.sent} of pet ${f.petId} was accepted and came back as ${f.shown}`,
  'all-bounds-refused': () => 'every quantity at the edges was refused, which is allowed',
  'header-is-no-integer': (f: { header: string; text: string; status: number }) =>
    `${f.header} on a ${f.status} is not an integer: ${f.text}`,
}

export type SharedCode = keyof typeof sharedSentences
