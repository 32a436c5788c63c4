import { storedAuthorization } from '../session/credentials.ts'

/** Headers of every call; also for uploads, which do not use {@link api}. */
export function requestHeaders(): Record<string, string> {
  const headers: Record<string, string> = { 'Accept-Language': document.documentElement.lang }
  const authorization = storedAuthorization()
  if (authorization) headers['Authorization'] = authorization
  return headers
}
