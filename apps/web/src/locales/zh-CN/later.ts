import { basket } from './basket.ts'
import { explorer } from './explorer.ts'
import { search } from './search.ts'
import { tasks } from './tasks.ts'
import { uploads } from './uploads.ts'

/** The words of screens that are not part of a first visit. */
export const later = { basket, explorer, search, tasks, uploads }
