import type { FirstLocale } from '../zh-CN/index.ts'
import { auth } from './auth.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { home } from './home.ts'
import { paste } from './paste.ts'
import { shell } from './shell.ts'

export const locale: FirstLocale = { common, shell, errors, auth, home, paste }
