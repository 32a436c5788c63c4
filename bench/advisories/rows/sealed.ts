import type { Row } from '../model.ts'

const server = 'apps/server/src/features/capabilities'
const bundles = `${server}/bundles/sealed/sealed-bundles.int.test.ts`
const policy = `${server}/bundles/sealed/sealed-policy.int.test.ts`
const notEncrypted = 'does not become an object of a sealed bundle, and is deleted'

/** Faults around end-to-end encrypted shares. */
export const sealed: readonly Row[] = [
  {
    mistake: 'An encrypted share opens for anyone who guesses its link, and each guess uses a view',
    test: { file: bundles, title: 'a text opens with the proof only, and no other request uses a view' },
    mutant: [
      {
        file: `${server}/bundles/reading/opened-bundles.usecases.ts`,
        find: '  if (!isRight) throw new AppError(bundleErrors.proof_wrong)\n',
        replace: '',
      },
    ],
  },
  {
    mistake: 'A device that once opened an encrypted share gets it again without its key',
    test: { file: bundles, title: 'a device that opens a bundle again needs the proof again' },
    mutant: [
      {
        file: `${server}/opening/opening.usecases.ts`,
        find: ' || kind.isProven?.(share, proof) === false',
        replace: '',
      },
    ],
  },
  {
    mistake: 'A client that forgets to encrypt leaves a readable file in an encrypted share',
    test: { file: bundles, title: notEncrypted },
    mutant: [
      {
        file: `${server}/url-import/url-uploads.usecases.ts`,
        find: '  await requireSealedObject(ctx, row)\n',
        replace: '',
      },
    ],
  },
  {
    mistake: 'Only the start of an encrypted file is checked',
    test: { file: bundles, title: notEncrypted },
    mutant: [
      {
        file: `${server}/files/uploads/sealed-objects.usecases.ts`,
        find: 'new Set([0, partCount - 1, ...random])',
        replace: 'new Set([0])',
      },
    ],
  },
  {
    mistake: 'A manifest that is not encrypted is stored',
    test: {
      file: bundles,
      title: 'is refused as a manifest of a sealed bundle in each of 100 attempts',
    },
    mutant: [{ file: `${server}/bundles/sealed/seal.models.ts`, find: ' || isUtf8(bytes)', replace: '' }],
  },
  {
    mistake: 'One of the ways to share ignores that only encrypted shares are allowed',
    test: { file: policy, title: '"required" refuses open shares through every interface' },
    mutant: [
      {
        file: `${server}/files/uploads/uploads.usecases.ts`,
        find: '  if (!input.bundle) await requireOpenShares(ctx)\n',
        replace: '',
      },
    ],
  },
  {
    mistake: 'An upload that began before only encrypted shares were allowed becomes a share',
    test: {
      file: policy,
      title:
        '"required" refuses to finish uploads that were started before, and to change contents of open shares',
    },
    mutant: [
      {
        file: `${server}/files/uploads/uploads.usecases.ts`,
        find: '  if (row.bundle_id === null) await requireOpenShares(ctx)\n',
        replace: '',
      },
    ],
  },
  {
    mistake: 'The proof that opens an encrypted share is in the log',
    test: {
      file: `${server}/bundles/sealed/sealed-secrecy.int.test.ts`,
      title: 'nothing that the server stores, logs or sends contains a plain byte, the key or the proof',
    },
    mutant: [
      {
        file: `${server}/opening/opening.usecases.ts`,
        find: '  const share = await kind.get(ctx, request.slug)\n',
        replace: '  const share = await kind.get(ctx, request.slug)\n  console.log(request)\n',
      },
    ],
  },
]
