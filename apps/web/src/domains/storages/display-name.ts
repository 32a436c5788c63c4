import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { i18n } from '../../i18n/i18n.ts'

/**
 * Returns the displayed name of a storage or mount. The server creates the first storage and mount with a fixed name.
 * The app translates this name until a user renames them.
 */
export const displayName = (name: string): string =>
  name === LOCAL_DISK_PROVIDER ? i18n.t('common.localDisk') : name

export const withDisplayName = <Named extends { readonly name: string }>(named: Named): Named => ({
  ...named,
  name: displayName(named.name),
})

/**
 * Omits the name from the fields of a form if the name is unchanged.
 * @param shown the name that the form first showed; `undefined` for a new object
 */
export function withoutSameName<Fields extends { readonly name: string }>(
  { name, ...fields }: Fields,
  shown: string | undefined,
): Omit<Fields, 'name'> & { name?: string } {
  return name === shown ? fields : { ...fields, name }
}
