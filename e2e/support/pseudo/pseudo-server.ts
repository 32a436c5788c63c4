import { en as doctor } from '../../../apps/server/src/features/foundation/storage-configs/doctor-texts/en.ts'
import { catalogueOf } from '../../../apps/server/src/messages/index.ts'
import { pseudoWords } from '../../../apps/web/src/testing/pseudo.ts'

/** Starts the server from its sources, with the generated language in place of its English texts. */
Object.assign(catalogueOf('en').messages, pseudoWords(catalogueOf('en').messages))
Object.assign(doctor, pseudoWords(doctor))

await import('../../../apps/server/src/main.ts')
