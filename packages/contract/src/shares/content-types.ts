export const PASTE_CONTENT_TYPES = ['text/markdown', 'text/plain'] as const
export type PasteContentType = (typeof PASTE_CONTENT_TYPES)[number]
