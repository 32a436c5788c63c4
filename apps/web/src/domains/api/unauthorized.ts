import type { ClientErrorCode, SentRequest } from '../../lib/api-error.ts'
import { ApiError } from '../../lib/api-error.ts'
import { backend } from '../../lib/server-address.ts'
import { storedAuthorization } from '../session/credentials.ts'
import { endSession } from '../session/session.ts'

/** Calls whose 401 means a wrong password and therefore does not end the session. */
const PASSWORD_CHECKS = [
  /^POST \/api\/admin\/(?:login|change-password)$/,
  /^POST \/api\/paste\/[^/]+$/,
  /^POST \/api\/public\/files\/[^/]+\/verify$/,
  /^POST \/api\/opening\/[^/]+\/[^/]+\/open$/,
]
const PASSWORD_CODES =
  /\.(?:proof_wrong|proof_missing|password_wrong|password_missing|pin_wrong|pin_missing|invalid_credentials|wrong_current_password)$/
const FILE_PATHS = /^\/api\/(?:upload|upload-direct|files|s3|user\/files|public\/files)(?:\/|$)/
const DENIED_TEXT = /unauthorized|no access|未授权|无权访问/i

const recoded = (error: ApiError, code: ClientErrorCode) =>
  new ApiError({ kind: 'http', status: 401, code, message: error.message, details: error.details })

/**
 * Decides what a 401 means. Ends the session if the server has rejected its current credential.
 * @returns the error to throw: the server's error for a wrong or missing password, otherwise an error with a client
 * code.
 */
export function recodeUnauthorized(error: ApiError, { method, url, headers }: SentRequest): ApiError {
  const path = (url.split('?')[0] ?? url).replace(backend, '')
  const isPasswordCheck = PASSWORD_CHECKS.some((pattern) => pattern.test(`${method} ${path}`))
  if (isPasswordCheck || PASSWORD_CODES.test(error.code)) return error
  const authorization = headers['Authorization']
  if (authorization === undefined) return recoded(error, 'client.unauthorized')
  const isKey = authorization.startsWith('ApiKey ')
  const isDenied = isKey && FILE_PATHS.test(path) && DENIED_TEXT.test(error.message)
  if (isDenied) return recoded(error, 'client.access_denied')
  // A late response to a request with an old credential must not end the new session.
  const isCurrent = authorization === storedAuthorization()
  if (isCurrent) endSession(isKey ? 'key-invalid' : 'admin-expired')
  return recoded(error, isKey ? 'client.key_invalid' : 'client.session_expired')
}
