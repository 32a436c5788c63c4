import { auth } from './auth.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { home } from './home.ts'
import { paste } from './paste.ts'
import { shell } from './shell.ts'
import type { adminWords } from './admin/index.ts'
import type { bundle } from './bundle.ts'
import type { editorWords } from './editor-words.ts'
import type { exportWords } from './exports.ts'
import type { fileWords } from './file-words.ts'
import type { later } from './later.ts'
import type { offline } from './offline.ts'
import type { opening } from './opening.ts'
import type { palette } from './palette.ts'
import type { queue } from './queue.ts'
import type { sealedReading } from './sealed-reading.ts'
import type { textViewWords } from './text-view-words.ts'
import type { viewer } from './viewer.ts'

/** The texts that every page can need. */
export const locale = { common, shell, errors, auth, home, paste }

export type FirstLocale = typeof locale

/** Every other language has exactly these keys. */
export type Locale = FirstLocale &
  typeof later &
  typeof adminWords &
  typeof fileWords &
  typeof editorWords &
  typeof textViewWords & {
    viewer: typeof viewer
    exports: typeof exportWords
    offline: typeof offline
    opening: typeof opening
    bundle: typeof bundle
    queue: typeof queue
    sealedReading: typeof sealedReading
    palette: typeof palette
  }
