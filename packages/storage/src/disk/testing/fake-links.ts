import type { PresignedLinks } from '../../driver.ts'

/** Links like the server's, but unsigned. */
export const fakeLinks: PresignedLinks = {
  get: (key) => Promise.resolve(`https://files.test/${encodeURIComponent(key)}`),
  put: (key) => Promise.resolve(`https://files.test/${encodeURIComponent(key)}?put`),
  part: ({ uploadId }, partNumber) => Promise.resolve(`https://files.test/${uploadId}/${partNumber}`),
}
