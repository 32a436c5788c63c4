import * as z from 'zod/mini'
import { SEALED_POLICIES } from '../bundles/sealed-policy.ts'
import { defineErrors } from '../core/errors.ts'
import { OPENING_GRACE_MAX_MINUTES, UPLOAD_SIZE_LIMIT_MB } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { guideState } from './welcome.ts'
import { defaultInt, instant, optionalText, wireBoolean, wireInt, wireIntCut } from '../core/wire.ts'

export const settingsErrors = defineErrors('settings', { nothing_to_change: 400 })

export const WEBDAV_UPLOAD_MODES = ['auto', 'direct', 'multipart'] as const

const settingRow = z.object({
  key: z.string(),
  value: z.string(),
  description: z.string(),
  updated_at: instant,
})

const cacheFigures = z.object({
  hits: z.number(),
  misses: z.number(),
  expired: z.number(),
  invalidations: z.number(),
  pruned: z.number(),
  cacheSize: z.number(),
  hitRate: z.number(),
  name: z.string(),
})
export type CacheFigures = z.infer<typeof cacheFigures>

const clearCacheBody = z.object({ mountId: optionalText(200), s3ConfigId: optionalText(200) })
const clearedCache = z.object({ data: z.object({ clearedCount: z.number(), timestamp: instant }) })
const sevenDays = z.array(z.number())
/** Range of time zone offsets, in minutes. */
const utcOffset = { min: -12 * 60, max: 14 * 60 }

/** Routes for settings, statistics and caches, which only the admin panel uses. */
export const operationRoutes = {
  readSettings: route({
    method: 'GET',
    path: '/api/admin/system-settings',
    access: 'admin',
    summary: 'All settings as rows of text.',
    reply: z.object({ data: z.array(settingRow) }),
    errors: [],
  }),
  updateSettings: route({
    method: 'PUT',
    path: '/api/admin/system-settings',
    access: 'admin',
    summary: 'Change settings; unknown ones are ignored.',
    body: z.object({
      max_upload_size: z.optional(wireIntCut({ min: 1, max: UPLOAD_SIZE_LIMIT_MB })),
      webdav_upload_mode: z.optional(z.enum(WEBDAV_UPLOAD_MODES)),
      show_share_files: z.optional(wireBoolean),
      sealed_policy: z.optional(z.enum(SEALED_POLICIES)),
      opening_grace_minutes: z.optional(wireInt({ min: 0, max: OPENING_GRACE_MAX_MINUTES })),
    }),
    reply: z.object({}),
    isRepeatable: true,
    errors: [settingsErrors.nothing_to_change],
  }),
  dashboard: route({
    method: 'GET',
    path: '/api/admin/dashboard/stats',
    access: 'admin',
    summary: 'Counters, storage use and the activity of the last seven days, including today.',
    query: z.object({
      /** Time zone offset in minutes ahead of UTC, which determines when a day starts. */
      utc_offset: defaultInt(utcOffset, 0),
    }),
    reply: z.object({
      data: z.object({
        totalPastes: z.number(),
        totalFiles: z.number(),
        totalApiKeys: z.number(),
        totalS3Configs: z.number(),
        totalMounts: z.number(),
        totalStorageUsed: z.number(),
        s3Buckets: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            providerType: z.string(),
            bucketName: z.string(),
            usedStorage: z.number(),
            /** The capacity limit, or the physical capacity if there is no limit. */
            totalStorage: z.number(),
            hasLimit: z.boolean(),
            fileCount: z.number(),
            usagePercent: z.number(),
          }),
        ),
        lastWeekPastes: sevenDays,
        lastWeekFiles: sevenDays,
        /** Dates of the seven days, like `2030-01-31`. */
        lastWeekDays: z.array(z.string()),
        guide: guideState,
        hasSamples: z.boolean(),
        /**
         * Set on a server that was restored from a backup. Such a server deletes nothing in buckets until an
         * administrator confirms the restore.
         */
        restored: z.nullable(
          z.object({
            savedAt: instant,
            restoredAt: instant,
            /** Number of bucket objects that will be deleted after the confirmation. */
            waitingRemovals: z.number(),
          }),
        ),
      }),
    }),
    errors: [],
  }),
  confirmRestored: route({
    method: 'POST',
    path: '/api/admin/restored/confirm',
    access: 'admin',
    summary:
      'Confirm that this restored server replaces the original one: it deletes objects in buckets again.',
    reply: z.object({}),
    isRepeatable: true,
    errors: [],
  }),
  cacheStats: route({
    method: 'GET',
    path: '/api/admin/cache/stats',
    access: 'admin',
    summary: 'Statistics of the caches and of the process.',
    reply: z.object({
      data: z.object({
        cache: z.object({ directory: cacheFigures, s3Url: cacheFigures, search: cacheFigures }),
        system: z.object({
          memory: z.object({
            rss: z.number(),
            heapTotal: z.number(),
            heapUsed: z.number(),
            external: z.number(),
            arrayBuffers: z.number(),
            heapUsagePercent: z.number(),
          }),
          uptime: z.number(),
        }),
        timestamp: instant,
      }),
    }),
    errors: [],
  }),
  adminClearCache: route({
    method: 'POST',
    path: '/api/admin/cache/clear',
    access: 'admin',
    summary: 'Clear the caches of a mount, of a storage config, or all.',
    body: z.nullish(clearCacheBody),
    reply: clearedCache,
    isRepeatable: true,
    errors: [],
  }),
  userClearCache: route({
    method: 'POST',
    path: '/api/user/cache/clear',
    access: 'mount',
    summary: 'Clear the caches of all mounts visible to the key.',
    body: z.nullish(clearCacheBody),
    reply: clearedCache,
    isRepeatable: true,
    errors: [],
  }),
}
