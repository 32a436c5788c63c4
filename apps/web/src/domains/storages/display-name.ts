import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { i18n } from '../../i18n/i18n.ts'

/**
 * What a storage or a mount is called. The server names the first ones itself, as the wire spells a local disk; they have the
 * word of the reader's language until somebody renames them.
 */
export const displayName = (name: string): string =>
  name === LOCAL_DISK_PROVIDER ? i18n.t('common.localDisk') : name

export const withDisplayName = <Named extends { readonly name: string }>(named: Named): Named => ({
  ...named,
  name: displayName(named.name),
})

/**
 * The fields of a form without a name that nobody has changed in it.
 * @param shown the name as the form showed it first; `undefined` for what is new
 */
export function withoutSameName<Fields extends { readonly name: string }>(
  { name, ...fields }: Fields,
  shown: string | undefined,
): Omit<Fields, 'name'> & { name?: string } {
  return name === shown ? fields : { ...fields, name }
}
