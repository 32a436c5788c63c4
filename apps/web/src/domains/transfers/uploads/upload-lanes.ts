import { createLanes, PARTS_AT_ONCE } from '@dropleaf/uploader'

/** Shared by all uploads of this tab. */
export const uploadLanes = createLanes(PARTS_AT_ONCE)
