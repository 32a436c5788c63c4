import * as z from 'zod/mini'
import { defineErrors, requestErrors } from '../core/errors.ts'
import { ADMIN_PASSWORD_MIN_LENGTH, ADMIN_USERNAME_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { idParams, instant, optionalSecret, optionalText, requiredText } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const authErrors = defineErrors('auth', {
  /** The credential is missing, unknown or expired. */
  unauthorized: 401,
  invalid_credentials: 401,
  wrong_current_password: 401,
  /** The credential is valid, but the caller lacks the permission or does not own the resource. */
  forbidden: 403,
  storage_forbidden: 403,
  path_forbidden: 403,
  session_not_found: 404,
  username_taken: 409,
  password_unchanged: 400,
  nothing_to_change: 400,
})

const loginBody = z.object({
  username: requiredText(ADMIN_USERNAME_MAX_LENGTH),
  password: requiredText(PASSWORD_MAX_LENGTH),
})

const changePasswordBody = z.object({
  currentPassword: requiredText(PASSWORD_MAX_LENGTH),
  newPassword: optionalSecret(PASSWORD_MAX_LENGTH).check(
    z.refine((text) => text === null || text.length >= ADMIN_PASSWORD_MIN_LENGTH, rules.passwordTooShort),
  ),
  newUsername: optionalText(ADMIN_USERNAME_MAX_LENGTH),
})

export const permissions = z.object({
  text: z.boolean(),
  file: z.boolean(),
  mount: z.boolean(),
  mount_read_only: z.boolean(),
})

const keyCheck = z.object({
  name: z.string(),
  basic_path: z.string(),
  permissions,
  key_info: z.object({ id: z.string(), name: z.string(), basic_path: z.string() }),
})

const adminSession = z.object({
  id: z.string(),
  /** Whether this session sent the request. */
  is_current: z.boolean(),
  created_at: instant,
  /** Time of the last use, accurate to the minute. */
  last_used_at: instant,
  expires_at: instant,
  /** Network of the last use: the /24 of an IPv4 address or the /48 of an IPv6 address. */
  address: z.nullable(z.string()),
  /** Name of the browser; `null` if it is not recognised. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
})

export const authRoutes = {
  login: route({
    method: 'POST',
    path: '/api/admin/login',
    access: 'public',
    summary: 'Log in as the administrator.',
    body: loginBody,
    reply: z.object({
      data: z.object({
        username: z.string(),
        token: z.string(),
        expiresAt: instant,
        /** Whether to show the first-start guide. */
        isFirstStart: z.boolean(),
      }),
    }),
    errors: [authErrors.invalid_credentials, requestErrors.rate_limited],
  }),
  logout: route({
    method: 'POST',
    path: '/api/admin/logout',
    access: 'public',
    summary: 'End the session of the token. Succeeds if it has already ended.',
    reply: z.object({}),
    errors: [],
  }),
  changePassword: route({
    method: 'POST',
    path: '/api/admin/change-password',
    access: 'admin',
    summary: 'Change the password, the username or both. Ends every session of the administrator.',
    body: changePasswordBody,
    reply: z.object({}),
    errors: [
      authErrors.wrong_current_password,
      authErrors.password_unchanged,
      authErrors.nothing_to_change,
      authErrors.username_taken,
      requestErrors.rate_limited,
    ],
  }),
  listSessions: route({
    method: 'GET',
    path: '/api/admin/sessions',
    access: 'admin',
    summary: 'The active sessions of the administrator, the current one first.',
    reply: z.object({ data: z.array(adminSession) }),
    errors: [],
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/admin/sessions/:id',
    access: 'admin',
    summary: 'End one session of the administrator. Its token is invalid from the next request on.',
    params: idParams,
    reply: z.object({}),
    errors: [authErrors.session_not_found],
  }),
  endOtherSessions: route({
    method: 'POST',
    path: '/api/admin/sessions/end-others',
    access: 'admin',
    summary: 'End every session of the administrator except the current one.',
    reply: z.object({ data: z.object({ ended: z.number() }) }),
    errors: [],
  }),
  testAdminToken: route({
    method: 'GET',
    path: '/api/test/admin-token',
    access: 'admin',
    summary: 'Check that the admin credential works.',
    reply: z.object({}),
    errors: [],
  }),
  testApiKey: route({
    method: 'GET',
    path: '/api/test/api-key',
    access: 'identity',
    summary: 'The permissions of the key. An administrator gets a reply of the same shape.',
    reply: z.object({ data: keyCheck }),
    errors: [],
  }),
}
