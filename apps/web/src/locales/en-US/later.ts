import type { later as chinese } from '../zh-CN/later.ts'
import { basket } from './basket.ts'
import { explorer } from './explorer.ts'
import { search } from './search.ts'
import { tasks } from './tasks.ts'
import { uploads } from './uploads.ts'

export const later: typeof chinese = { basket, explorer, search, tasks, uploads }
