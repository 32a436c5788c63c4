import * as z from 'zod/mini'
import { SLUG_MAX_LENGTH } from '../core/limits.ts'
import { optionally } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

/** First path segments of URLs that belong to the app. They cannot be used as slugs. */
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

/** Ids of shares are UUIDs. A slug in this format could be mistaken for the id of another share. */
const LOOKS_LIKE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type SlugProblem = 'characters' | 'length' | 'reserved'

/** Returns why a slug is invalid, or `null` if it is valid. Does not check whether it is already taken. */
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

/** A slug chosen by the user. If absent, `null` or blank, the server generates a slug. */
export const optionalSlug = optionally<string | null, string>(null, blankToNull, z.nullable(slug))
