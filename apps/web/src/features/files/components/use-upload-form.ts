import { SLUG_MAX_LENGTH, type StorageConfig } from '@dropleaf/contract'
import { useState } from 'react'
import type { ShareOptions } from '../../../domains/shares/share-options.ts'
import {
  areOptionsValid,
  NO_OPTIONS,
  openingOf,
  parseMaxViews,
} from '../../../domains/shares/share-options.ts'
import type { UploadOptions } from '../../../domains/transfers/uploads/share-transports.ts'
import { slugOf } from '../../../domains/transfers/uploads/share-uploads.ts'

interface Place {
  /** `null` means the default storage, until the user chooses another storage. */
  readonly configId: string | null
  readonly folder: string
}

const defaultStorage = (storages: readonly StorageConfig[]) =>
  storages.find(({ is_default: isDefault }) => isDefault === 1) ?? storages[0]

/** Whether a slug is too long after the number of a file is appended. */
export const isTooLong = (slug: string, fileCount: number): boolean =>
  fileCount > 1 && slugOf(slug, fileCount).length > SLUG_MAX_LENGTH

/** Manages the storage and the share options of the whole batch. */
export function useUploadForm(storages: readonly StorageConfig[]) {
  const [place, setPlace] = useState<Place>({ configId: null, folder: '' })
  const [options, setOptions] = useState<ShareOptions>(NO_OPTIONS)
  const isKnown = storages.some(({ id }) => id === place.configId)
  const configId = (isKnown ? place.configId : defaultStorage(storages)?.id) ?? null

  /** Returns the options to send, or `null` if the form is invalid. */
  const read = (fileCount: number): UploadOptions | null => {
    const maxViews = parseMaxViews(options.maxViews)
    const slug = options.slug.trim()
    if (configId === null || maxViews === null) return null
    if (!areOptionsValid(options) || isTooLong(slug, fileCount)) return null
    return {
      configId,
      folder: place.folder.trim(),
      remark: options.remark.trim(),
      slug,
      password: options.password,
      expiresInHours: options.expiryHours,
      maxViews,
      opening: openingOf(options),
      pin: options.pin,
    }
  }

  /** Clears options that only apply to the uploaded files. Call when all uploads are completed. */
  const clearPersonal = () => setOptions((now) => ({ ...now, slug: '', remark: '', password: '', pin: '' }))

  const providerType = storages.find(({ id }) => id === configId)?.provider_type ?? null
  return { configId, providerType, place, setPlace, options, setOptions, read, clearPersonal }
}

export type UploadForm = ReturnType<typeof useUploadForm>
