import { storedAuthorization } from '../session/credentials.ts'

/** Returns the headers of every API call, including uploads that do not use {@link api}. */
export function requestHeaders(): Record<string, string> {
  const headers: Record<string, string> = { 'Accept-Language': document.documentElement.lang }
  const authorization = storedAuthorization()
  if (authorization) headers['Authorization'] = authorization
  return headers
}
