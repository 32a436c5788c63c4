import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { i18n } from '../../i18n/i18n.ts'

/**
 * Returns the displayed name of a storage or mount. The server creates the first ones with a fixed name, which is
 * translated until a user renames them.
 */
export const displayName = (name: string): string =>
  name === LOCAL_DISK_PROVIDER ? i18n.t('common.localDisk') : name

export const withDisplayName = <Named extends { readonly name: string }>(named: Named): Named => ({
  ...named,
  name: displayName(named.name),
})

/**
 * Omits the name from the fields of a form if it is unchanged.
 * @param shown the name as the form first showed it; `undefined` for a new object
 */
export function withoutSameName<Fields extends { readonly name: string }>(
  { name, ...fields }: Fields,
  shown: string | undefined,
): Omit<Fields, 'name'> & { name?: string } {
  return name === shown ? fields : { ...fields, name }
}
