import type { Locale } from '../zh-CN/index.ts'
import { auth } from './auth.ts'
import { basket } from './basket.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { explorer } from './explorer.ts'
import { files } from './files.ts'
import { home } from './home.ts'
import { paste } from './paste.ts'
import { preview } from './preview.ts'
import { search } from './search.ts'
import { shell } from './shell.ts'
import { tasks } from './tasks.ts'
import { uploads } from './uploads.ts'

export const locale: Locale = {
  common,
  shell,
  errors,
  auth,
  basket,
  explorer,
  files,
  home,
  paste,
  preview,
  search,
  tasks,
  uploads,
}
