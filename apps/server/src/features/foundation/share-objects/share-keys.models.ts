import { FILENAME_MAX_BYTES } from '@dropleaf/contract'
import { randomText } from '../../../lib/ids.ts'
import { extensionOf } from '../../../lib/mime.ts'

const NAME_MAX_CHARACTERS = 50
const EXTENSION_MAX_CHARACTERS = 20
const PREFIX_LENGTH = 6
const MARK_LENGTH = 4

/** Replaces characters that some file systems and tools do not support. */
const cleanName = (text: string) => text.toWellFormed().replace(/[<>:"|?*\\/\p{Cc}]/gu, '_')

/** Name of the folder for share objects, below the default folder of their storage. Mounts do not show it. */
export const SHARES_FOLDER = 'dropleaf-shares'

/**
 * Folds a name in the same way as file systems that ignore case, compatibility forms, format characters or trailing
 * dots.
 */
const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replace(/[ .]+$/, '')
    .toLowerCase()

/**
 * Whether the key of an object or folder is in a folder of shares, in any spelling that a disk might treat as equal.
 */
export const isInSharesFolder = (key: string): boolean =>
  key.split('/').some((name) => foldedName(name) === SHARES_FOLDER)

/** What is needed to create and recognize the keys of share objects in one storage. */
export interface KeyMaker {
  readonly configId: string
  readonly sign: (text: string) => string
}

/**
 * Returns the signature in a share's key. The signature distinguishes share objects from other files. Only this server
 * can create the signature.
 */
const markOf = ({ configId, sign }: KeyMaker, unmarked: string): string =>
  sign(`share-key:${configId}:${unmarked}`).replaceAll(/[-_]/g, '').slice(0, MARK_LENGTH)

const MARKED_NAME = new RegExp(`^([A-Za-z0-9]{${PREFIX_LENGTH}})([A-Za-z0-9]{${MARK_LENGTH}})(-.*)$`, 's')

const lastNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** Whether {@link isShareKey} can be true for some storage. A fast check that excludes most names. */
export const mayBeShareKey = (key: string): boolean => MARKED_NAME.test(lastNameOf(key))

/**
 * Whether the key has the signature that {@link objectKeyFor} adds for this storage and folder. Keys that keep the
 * filename have none.
 */
export function isShareKey(maker: KeyMaker, key: string): boolean {
  const name = lastNameOf(key)
  const [, random, mark, rest] = MARKED_NAME.exec(name) ?? []
  const folder = key.slice(0, key.length - name.length)
  return random !== undefined && mark === markOf(maker, `${folder}${random}${rest}`)
}

export interface ObjectKeyParts {
  readonly maker: KeyMaker
  /**
   * Folder to which an API key is limited, `default_folder` of the storage, and the requested folder. Each can be
   * empty.
   */
  readonly folders: readonly string[]
  readonly filename: string
  /** Whether to use the cleaned filename alone, without the random prefix that makes the key unique. */
  readonly keepsName: boolean
}

/**
 * Builds the object key of a share: `folders/prefix-name.ext`, with the name cut to 50 characters; with `keepsName`,
 * `folders/filename`. The caller adds {@link SHARES_FOLDER}.
 */
export function objectKeyFor({ maker, folders, filename, keepsName }: ObjectKeyParts): string {
  const folder = folders.map((f) => f.replace(/^\/+|\/+$/g, '')).filter((f) => f !== '')
  const clean = cleanName(filename)
  if (keepsName) return [...folder, clipBytes(clean)].join('/')
  const hasExtension = clean.includes('.') && !clean.startsWith('.')
  const extension = hasExtension ? `.${extensionOf(clean).slice(0, EXTENSION_MAX_CHARACTERS)}` : ''
  const stem = hasExtension ? clean.slice(0, clean.lastIndexOf('.')) : clean
  const start = folder.map((name) => `${name}/`).join('')
  const random = randomText(PREFIX_LENGTH)
  const rest = `-${[...stem].slice(0, NAME_MAX_CHARACTERS).join('')}${extension}`
  return `${start}${random}${markOf(maker, `${start}${random}${rest}`)}${rest}`
}

function clipBytes(name: string): string {
  let clipped = name
  while (Buffer.byteLength(clipped) > FILENAME_MAX_BYTES) clipped = [...clipped].slice(0, -1).join('')
  return clipped
}
