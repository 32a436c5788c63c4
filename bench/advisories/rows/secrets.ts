import type { Row } from '../model.ts'
import { passwordInLinks } from './shared.ts'

export const secrets: readonly Row[] = [
  {
    mistake: 'Passwords are unsalted fast hashes, compared in variable time',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'uses the intended parameters: argon2id, 19 MiB, two passes',
    },
    mutant: [
      {
        file: 'apps/server/src/lib/passwords.ts',
        find: '{ memoryCost: 19_456, timeCost: 2, parallelism: 1 }',
        replace: '{ memoryCost: 8, timeCost: 1, parallelism: 1 }',
      },
    ],
  },
  {
    mistake: 'Share passwords are plain text in the database, and in the public response',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title: 'the password is stored as a slow hash and an encrypted copy, never as plain text',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.usecases.ts',
        find: 'password_sealed: ctx.secrets.seal(password, pastePasswordContext(id))',
        replace: 'password_sealed: password',
      },
    ],
  },
  {
    mistake: 'Keys and tokens are plain text in the database',
    test: {
      file: 'apps/server/src/features/foundation/identity/api-keys.int.test.ts',
      title: 'no column contains the plain key: it is encrypted, and found by a keyed hash',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/api-keys.usecases.ts',
        find: 'key_sealed: ctx.secrets.seal(key, apiKeySealContext(id))',
        replace: 'key_sealed: key',
      },
    ],
  },
  {
    mistake: 'Tokens and listings are written to the log',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'are in no line of the log at any level, and in no error',
    },
    mutant: [
      {
        file: 'apps/server/src/http/core/request-log.ts',
        find: "    const path = url.split('?')[0]",
        replace: '    const path = url',
      },
    ],
  },
  {
    mistake: 'A change of the default password is never required',
    test: {
      file: 'e2e/first-start.spec.ts',
      title: 'the first start prints an address and a password, and its guide leads to a first share',
    },
    mutant: [
      {
        file: 'apps/server/src/features/operations/login/login.routes.ts',
        find: "isFirstStart: state === 'open'",
        replace: 'isFirstStart: state === undefined',
      },
    ],
  },
  {
    mistake: 'Login attempts are not limited',
    test: {
      file: 'apps/server/src/features/foundation/identity/auth.int.test.ts',
      title:
        'ten wrong passwords block the login for that IP address for fifteen minutes, also with the right password',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/auth.usecases.ts',
        find: 'isProved ? [addressRule(network)] : [addressRule(network), nameRule(username)]',
        replace: 'isProved ? [] : [nameRule(username)]',
      },
    ],
  },
  {
    mistake: 'Guesses of share passwords are not limited',
    test: {
      file: 'apps/server/src/features/capabilities/pastes/pastes.int.test.ts',
      title:
        'the twenty-first guess from one IP address is 429, even if correct; other addresses are not blocked',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/reading-pastes.usecases.ts',
        find: 'ctx.throttles.guess(rules, () =>',
        replace: '((_rules: unknown, isRight: () => Promise<boolean>) => isRight())(rules, () =>',
      },
    ],
  },
  {
    mistake: 'Links carry the password in their query',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'a locked share shows no address and no hash, and counts no view',
    },
    mutant: passwordInLinks,
  },
  {
    mistake: 'A protected file reveals the unprotected URL of its object',
    test: {
      file: 'apps/server/src/features/capabilities/files/public-files.int.test.ts',
      title: 'a locked share shows no address and no hash, and counts no view',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.presenters.ts',
        find: '...(isLocked ? {} : await presentLinks(',
        replace: `...(isLocked
      ? { s3_direct_preview_url: absoluteUrl(origin, (await directLinks(ctx, row)).preview) }
      : await presentLinks(`,
      },
    ],
  },
  {
    mistake: 'A Basic authentication login is recorded as nobody, or as a key',
    test: {
      file: 'apps/server/src/features/foundation/identity/credentials.int.test.ts',
      title: 'belongs to its creator with every form of credentials',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/identity/authenticate.usecases.ts',
        find: `  return admin ? adminWithoutSession(admin) : null
}

export interface Asker`,
        replace: `  return admin ? adminWithoutSession({ ...admin, id: '' }) : null
}

export interface Asker`,
      },
    ],
  },
  {
    mistake: 'HTML and SVG run in the origin of the API',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'shared content of any type never runs in the origin of the app, through any interface',
    },
    mutant: [
      {
        file: 'apps/server/src/http/bodies/send-bytes.ts',
        find: `  forbidScripts(reply)
`,
        replace: '',
      },
    ],
  },
  {
    mistake: 'Search results are inserted into the page as markup',
    test: {
      file: 'e2e/names-of-others.spec.ts',
      title: 'names with markup are shown as text',
    },
    mutant: [
      {
        file: 'apps/web/src/features/search/components/search-results.tsx',
        find: '<span key={from}>{text}</span>',
        replace: '<span key={from} dangerouslySetInnerHTML={{ __html: text }} />',
      },
    ],
  },
  {
    mistake: 'Errors reveal stack traces and raw library messages',
    test: {
      file: 'apps/server/src/features/capabilities/files/hostile-shares.int.test.ts',
      title: 'of a request that fails is never its own words as markup, nor a trace of the code',
    },
    mutant: [
      {
        file: 'apps/server/src/http/core/error-handler.ts',
        find: '  const envelope = envelopeOf(failure, request)',
        replace: '  const envelope = { ...envelopeOf(failure, request), message: String(error.stack) }',
      },
    ],
  },
]
