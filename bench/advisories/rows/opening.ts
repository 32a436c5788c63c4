import type { Row } from '../model.ts'

const FOLDER = 'apps/server/src/features/capabilities/opening'
const ASKING = `${FOLDER}/asking.int.test.ts`
const OPENING = `${FOLDER}/opening.int.test.ts`
const OPENERS = `${FOLDER}/openers.int.test.ts`

export const opening: readonly Row[] = [
  {
    mistake: 'A link preview that reads a text uses its view',
    test: {
      file: ASKING,
      title: 'responds to every direct request with 428 and instructions, and counts no view',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/pastes.repository.ts',
        find: "      .where('opening', '=', 'direct')",
        replace: "      .where('opening', '<>', '')",
      },
    ],
  },
  {
    mistake: 'The bytes of a file that asks are sent without a ticket',
    test: {
      file: ASKING,
      title: 'responds to every direct request with 428 and instructions, and counts no view',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.usecases.ts',
        find: `  if (row.opening === 'ask') {
    requireAlive`,
        replace: `  if (row.opening === 'ask' && row.max_views === null) {
    requireAlive`,
      },
    ],
  },
  {
    mistake: 'A file that asks, without a view limit, gets links without a ticket',
    test: { file: ASKING, title: 'opens for a file of an Office program by its ticket alone' },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/files/files.models.ts',
        find: " || row.max_views !== null || row.opening === 'ask'",
        replace: ' || row.max_views !== null',
      },
    ],
  },
  {
    mistake: 'A page of another origin opens a share in the name of its reader',
    test: { file: ASKING, title: 'is refused to pages of other origins' },
    mutant: [
      {
        file: 'apps/server/src/http/core/cors.ts',
        find: 'name.toLowerCase() !== OPEN_HEADER',
        replace: 'name.length < 1000',
      },
    ],
  },
  {
    mistake: 'Several devices get the contents of one view',
    test: {
      file: OPENERS,
      title: 'of a share of one view: five hundred at once get exactly one content, the others 410',
    },
    mutant: [
      {
        file: 'apps/server/src/features/capabilities/pastes/opened-pastes.repository.ts',
        find: '      .where(isAlive(nowMs))',
        replace: "      .where('created_at_ms', '<=', nowMs)",
      },
      {
        file: 'apps/server/src/features/capabilities/pastes/opened-pastes.repository.ts',
        find: "import { ARMED, isAlive, isLimitedDirect, viewTaken } from '../../../db/share-queries.ts'",
        replace: "import { ARMED, isLimitedDirect, viewTaken } from '../../../db/share-queries.ts'",
      },
    ],
  },
  {
    mistake: 'A program opens a share in the moment that it sees it',
    test: {
      file: OPENERS,
      title: 'work once, after 0.8 seconds and within 10 minutes, and only for their own share',
    },
    mutant: [
      {
        file: `${FOLDER}/opening.models.ts`,
        find: 'return nowMs < intent.fromMs ? shareErrors.too_early : null',
        replace: 'return nowMs < intent.fromMs - 10_000 ? shareErrors.too_early : null',
      },
    ],
  },
  {
    mistake: 'An intent of one share opens another',
    test: {
      file: OPENERS,
      title: 'work once, after 0.8 seconds and within 10 minutes, and only for their own share',
    },
    mutant: [
      {
        file: `${FOLDER}/opening.models.ts`,
        find: '!intent || intent.shareId !== share.id || intent.slug !== share.slug',
        replace: "!intent || intent.shareId === '' || share.id === ''",
      },
    ],
  },
  {
    mistake: 'A device that opened a share may come back for ever',
    test: {
      file: OPENING,
      title: 'the same device can reopen the share for ten minutes without a view, an intent or a password',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/share-opening/share-opening.repository.ts',
        find: "      .where('expires_at_ms', '>', nowMs)",
        replace: "      .where('expires_at_ms', '>', nowMs - 3_600_000)",
      },
    ],
  },
  {
    mistake: 'A device that opened a share keeps it after its password has changed',
    test: {
      file: OPENING,
      title: 'a changed password or PIN ends the reopening time; a changed suffix is a different link',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/share-opening/share-opening.usecases.ts',
        find: 'if (change.password_hash !== undefined || change.pin_hash !== undefined)',
        replace: 'if (change.password_hash !== undefined && change.pin_hash !== undefined)',
      },
    ],
  },
  {
    mistake: 'The few digits of a PIN can be tried one after another',
    test: {
      file: OPENING,
      title: 'five wrong PINs from any senders block the share for fifteen minutes, but not permanently',
    },
    mutant: [
      {
        file: 'apps/server/src/features/foundation/share-opening/share-opening.models.ts',
        find: 'const PIN_TRIES = 5\n',
        replace: 'const PIN_TRIES = 5000\n',
      },
    ],
  },
  {
    mistake: 'A scanner that activated the trap goes on',
    test: { file: OPENING, title: 'a triggered trap blocks the share for ten minutes, only for this client' },
    mutant: [
      {
        file: `${FOLDER}/intents.usecases.ts`,
        find: 'if (trapped !== undefined)',
        replace: 'if (trapped === null)',
      },
    ],
  },
]
