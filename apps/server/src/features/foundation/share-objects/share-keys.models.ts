import { FILENAME_MAX_BYTES } from '@dropleaf/contract'
import { randomText } from '../../../lib/ids.ts'
import { extensionOf } from '../../../lib/mime.ts'

const NAME_MAX_CHARACTERS = 50
const EXTENSION_MAX_CHARACTERS = 20
const PREFIX_LENGTH = 6
const MARK_LENGTH = 4

/** Replaces characters that some file systems and tools do not support. */
const cleanName = (text: string) => text.toWellFormed().replace(/[<>:"|?*\\/\p{Cc}]/gu, '_')

/** The folder of share objects, below the default folder of their storage. No mount shows it. */
export const SHARES_FOLDER = 'dropleaf-shares'

/** Folds a name as file systems do that ignore case, compatibility forms, format characters or trailing dots. */
const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replace(/[ .]+$/, '')
    .toLowerCase()

/** Whether a key, of an object or a folder, is in a folder of shares, in any spelling that a disk may treat as equal. */
export const isInSharesFolder = (key: string): boolean =>
  key.split('/').some((name) => foldedName(name) === SHARES_FOLDER)

/** A storage, and the signer of its keys. */
export interface KeyMaker {
  readonly configId: string
  readonly sign: (text: string) => string
}

/** A signature in the key of a share, which only this server can create: distinguishes it from other files. */
const markOf = ({ configId, sign }: KeyMaker, unmarked: string): string =>
  sign(`share-key:${configId}:${unmarked}`).replaceAll(/[-_]/g, '').slice(0, MARK_LENGTH)

const MARKED_NAME = new RegExp(`^([A-Za-z0-9]{${PREFIX_LENGTH}})([A-Za-z0-9]{${MARK_LENGTH}})(-.*)$`, 's')

const lastNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** Whether {@link isShareKey} may be true for some storage: most names do not have the form. */
export const mayBeShareKey = (key: string): boolean => MARKED_NAME.test(lastNameOf(key))

/** Whether {@link objectKeyFor} created the key for a share of this storage, in this folder. */
export function isShareKey(maker: KeyMaker, key: string): boolean {
  const name = lastNameOf(key)
  const [, random, mark, rest] = MARKED_NAME.exec(name) ?? []
  const folder = key.slice(0, key.length - name.length)
  return random !== undefined && mark === markOf(maker, `${folder}${random}${rest}`)
}

export interface ObjectKeyParts {
  readonly maker: KeyMaker
  /** Folder to which an API key is limited, `default_folder` of the storage, and the requested one; each may be empty. */
  readonly folders: readonly string[]
  readonly filename: string
  /** Uses the name unchanged; otherwise a random prefix makes the key unique. */
  readonly keepsName: boolean
}

/** The object key of a share: `folders/prefix-name.ext`, name cut to 50 characters. The caller adds {@link SHARES_FOLDER}. */
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
