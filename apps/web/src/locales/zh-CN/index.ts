import { auth } from './auth.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { home } from './home.ts'
import { paste } from './paste.ts'
import { preview } from './preview.ts'
import { shell } from './shell.ts'
import type { adminWords } from './admin/index.ts'
import type { later } from './later.ts'

/** The words that every page may need. */
export const locale = { common, shell, errors, auth, files, home, paste, preview }

export type FirstLocale = typeof locale

/** Every other language has exactly these keys. */
export type Locale = FirstLocale & typeof later & typeof adminWords
