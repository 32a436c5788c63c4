import { hash } from 'node:crypto'
import * as z from 'zod/mini'

const folder = z.object({
  path: z.string(),
  /** Checksums of the samples. A file with another checksum belongs to the user. */
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
})
export type SampleFolder = z.infer<typeof folder>

/** The created samples. Each sample is recorded before its creation, so that a crash leaves no unrecorded sample. */
export const sampleRecord = z.object({
  textId: z.nullable(z.string()),
  fileId: z.nullable(z.string()),
  folder: z.nullable(folder),
})
export type SampleRecord = z.infer<typeof sampleRecord>

export const NO_SAMPLES: SampleRecord = { textId: null, fileId: null, folder: null }

export const isEmpty = ({ textId, fileId, folder: made }: SampleRecord): boolean =>
  textId === null && fileId === null && made === null

export const sumOf = (content: string | Buffer): string => hash('sha256', content, 'hex')

const NAMES_TRIED = 20

/** Returns possible folder names: `Samples`, `Samples 2`, … */
export const namesLike = (name: string): string[] =>
  Array.from({ length: NAMES_TRIED }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`))
