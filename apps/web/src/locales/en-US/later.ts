import type { later as chinese } from '../zh-CN/later.ts'
import { basket } from './files/basket.ts'
import { fileErrors } from './files/errors.ts'
import { explorer } from './files/explorer.ts'
import { sealing } from './files/sealing.ts'
import { search } from './search.ts'
import { tasks } from './files/tasks.ts'
import { uploads } from './files/uploads.ts'

export const later: typeof chinese = { errors: fileErrors, basket, explorer, sealing, search, tasks, uploads }
