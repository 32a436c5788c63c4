import * as z from 'zod/mini'
import { SLUG_MAX_LENGTH } from '../core/limits.ts'
import { optionally } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

/** First segments of our own URLs; no share may use them as its suffix. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'config',
  'dav',
  'docs',
  'favicon',
  'file',
  'files',
  'fs',
  'health',
  'home',
  'index',
  'install',
  'login',
  'logout',
  'manifest',
  'metrics',
  'mount-explorer',
  'new',
  'offline',
  'paste',
  'public',
  'raw',
  'robots',
  's3',
  'search',
  'settings',
  'share',
  'static',
  'storage',
  'sw',
  'system',
  'upload',
  'user',
])

/** Ids are UUIDs; a suffix of that form could be mistaken for another share's id. */
const LOOKS_LIKE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type SlugProblem = 'characters' | 'length' | 'reserved'

/** Why a link suffix is invalid, or `null` if it is valid (only the server knows whether it is free). */
export function findSlugProblem(text: string): SlugProblem | null {
  if (text.length > SLUG_MAX_LENGTH) return 'length'
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return 'characters'
  if (RESERVED_SLUGS.has(text.toLowerCase()) || LOOKS_LIKE_ID.test(text)) return 'reserved'
  return null
}

const PROBLEM_TEXT: Record<SlugProblem, string> = {
  characters: rules.slugCharacters,
  length: rules.slugTooLong,
  reserved: rules.slugReserved,
}

const blankToNull = (value: unknown) => {
  const text = typeof value === 'string' ? value.trim() : value
  return text === '' ? null : text
}

const slug = z.string().check((payload) => {
  const problem = findSlugProblem(payload.value)
  if (problem)
    payload.issues.push({ code: 'custom', message: PROBLEM_TEXT[problem], input: payload.value.slice(0, 80) })
})

/** A link suffix chosen by the sharer; absent, `null` and blank: the server chooses one. */
export const optionalSlug = optionally<string | null, string>(null, blankToNull, z.nullable(slug))
