import { basket } from './files/basket.ts'
import { fileErrors } from './files/errors.ts'
import { explorer } from './files/explorer.ts'
import { sealing } from './files/sealing.ts'
import { search } from './search.ts'
import { tasks } from './files/tasks.ts'
import { uploads } from './files/uploads.ts'

/** The texts of screens that are not part of a first visit. */
export const later = { errors: fileErrors, basket, explorer, sealing, search, tasks, uploads }
