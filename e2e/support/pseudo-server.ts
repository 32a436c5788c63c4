import { en as doctor } from '../../apps/server/src/features/foundation/storage-configs/doctor-texts/en.ts'
import { catalogueOf } from '../../apps/server/src/messages/index.ts'
import { pseudoWords } from '../../apps/web/src/testing/pseudo.ts'

/** A server from its sources whose English texts are replaced by the generated language. */
Object.assign(catalogueOf('en').messages, pseudoWords(catalogueOf('en').messages))
Object.assign(doctor, pseudoWords(doctor))

await import('../../apps/server/src/main.ts')
