import { createLanes, PARTS_AT_ONCE } from '@dropleaf/uploader'

/** Lanes shared by all uploads in this tab. */
export const uploadLanes = createLanes(PARTS_AT_ONCE)
